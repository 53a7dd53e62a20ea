import { parseBaseUrl, sendsKeyInTheClear } from '../../api/credential';
import { pathId, isWebPage, sanitizeText, withoutSecrets } from '../../api/sanitizeText';
import { downloadTimeoutMs, uploadTimeoutMs } from '../../api/retry';

describe('the base URL', () => {
	it.each([
		['https://api.example.com', 'https://api.example.com'],
		['  https://api.example.com/  ', 'https://api.example.com'],
		['https://api.example.com/v2', 'https://api.example.com'],
		['https://api.example.com/v1/', 'https://api.example.com'],
		['http://127.0.0.1:8787///', 'http://127.0.0.1:8787'],
		['https://gate.example.com/audio/v2', 'https://gate.example.com/audio'],
	])('%s is read as %s', (text, root) => {
		expect(parseBaseUrl(text)).toMatchObject({ ok: true, root });
	});

	it.each([
		['', 'empty'],
		['api.example.com', 'must begin with https:// or http://'],
		['https://', 'not a complete URL'],
		['https://api.exa mple.com', 'contains a blank'],
		['ftp://api.example.com', 'https://'],
		['https://me:secret@api.example.com', 'user name or password'],
		['https://api.example.com/?key=1', 'query'],
		['   ', 'empty'],
		[undefined, 'empty'],
	])('%s is refused: %s', (text, reason) => {
		expect(parseBaseUrl(text)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
	});

	it('sends the key in the clear only over http to another machine', () => {
		expect(sendsKeyInTheClear('http://api.example.com')).toBe(true);
		expect(sendsKeyInTheClear('https://api.example.com')).toBe(false);
		expect(sendsKeyInTheClear('http://127.0.0.1:8787')).toBe(false);
		expect(sendsKeyInTheClear('http://127.8.9.10:8787')).toBe(false);
		expect(sendsKeyInTheClear('http://128.0.0.1')).toBe(true);
		expect(sendsKeyInTheClear('http://localhost')).toBe(false);
		expect(sendsKeyInTheClear('http://localhost.example.com')).toBe(true);
		expect(sendsKeyInTheClear('http://[::1]:1')).toBe(false);
	});
});

const refused = (reason: string) => ({ ok: false, reason });

describe('an id as part of a path', () => {
	it.each([
		['abc-123_X.y~', 'abc-123_X.y~'],
		['  padded  ', 'padded'],
		[12, '12'],
		['a..', 'a..'],
		['..a', '..a'],
		['übung', '%C3%BCbung'],
		['a&b=c:d', 'a%26b%3Dc%3Ad'],
		['x'.repeat(200), 'x'.repeat(200)],
	])('is encoded: %j', (id, segment) => {
		expect(pathId(id)).toEqual({ ok: true, segment });
	});

	it.each([[''], ['   '], ['undefined'], ['null'], [undefined], [null]])(
		'is refused when it is empty: %j',
		(id) => {
			expect(pathId(id)).toEqual(refused('is empty'));
		},
	);

	it.each([[true], [{}], [['a']]])('is refused when it is not a text: %j', (id) => {
		expect(pathId(id)).toEqual(refused('is not a text'));
	});

	it('is refused from 201 characters on', () => {
		expect(pathId('x'.repeat(201))).toEqual(refused('is too long to be an ID'));
	});

	it.each([
		'a/b',
		'a\\b',
		'a b',
		'a?b',
		'a#b',
		'a%2Fb',
		'a\u0000b',
		'a\u007fb',
		'a\r\nb',
		'a\ud800b',
		'\udfff',
		'.',
		'..',
		'...',
	])('is refused when it could be a path: %j', (id) => {
		expect(pathId(id)).toEqual(
			refused('contains characters that no ID has, such as slashes or spaces'),
		);
	});
});

describe('text from outside', () => {
	it('loses control characters and everything beyond 500 characters', () => {
		expect(sanitizeText('a\u0000b\r\nc\u202Ed')).toBe('a b c d');
		expect(sanitizeText('x'.repeat(600))).toHaveLength(501);
	});

	it('loses the signatures of URLs in it', () => {
		const text = 'see https://s3.example.com/f.mp3?X-Amz-Signature=abc&X-Amz-Expires=60 now';
		expect(sanitizeText(text)).toBe('see https://s3.example.com/f.mp3 now');
	});

	it('loses the query of a path that is quoted without its host', () => {
		expect(sanitizeText('bad /up/a.wav?sig=a%2Bb+c, sorry')).toBe('bad /up/a.wav sorry');
		expect(sanitizeText('{"path":"/a?t=1","id":"edit-7"}')).toBe('{"path":"/a","id":"edit-7"}');
		expect(sanitizeText('Is it there? Look again.')).toBe('Is it there? Look again.');
	});

	it('loses every query, since any could be a signature', () => {
		expect(withoutSecrets('https://x.example/f?hmac=1')).toBe('https://x.example/f');
		expect(withoutSecrets('s3.example.com/b?X-Amz-Signature=s')).toBe('s3.example.com/b');
		expect(withoutSecrets('https://me:pw@x.example/f')).toBe('https://x.example/f');
		expect(withoutSecrets('https://x.example/f#access_token=1')).toBe('https://x.example/f');
		expect(withoutSecrets('x.example/f#access_token=1')).toBe('x.example/f');
		expect(withoutSecrets('not a url')).toBe('not a url');
	});

	it('is recognized as a web page', () => {
		expect(isWebPage('\n <!DOCTYPE html><html>')).toBe(true);
		expect(isWebPage('{"a": "<html>"}')).toBe(false);
	});
});

it('the time limit of a transfer grows with the size', () => {
	expect(uploadTimeoutMs(0)).toBe(300_000);
	expect(uploadTimeoutMs(2_000_000_000)).toBe(300_000 + 16_000_000);
	expect(downloadTimeoutMs(2_000_000_000)).toBe(300_000 + 16_000_000);
	expect(downloadTimeoutMs(undefined)).toBe(6 * 3_600_000);
});
