import {
	HIDES_NOTHING,
	hiderOf,
	keyHider,
	secretsInLink,
	secretsInLinksOf,
} from '../../api/secrets';

describe('a hider', () => {
	it('hides a secret wherever it is quoted, and leaves the rest', () => {
		expect(hiderOf(['s3cret']).text('a s3cret, and s3cret again')).toBe(
			'a (hidden), and (hidden) again',
		);
	});

	it.each([
		['as JSON writes it', 'a"b\\c', 'a\\"b\\\\c'],
		['percent-encoded', 'a+b/c=', 'a%2Bb%2Fc%3D'],
		['percent-encoded in small letters', 'a+b/c=', 'a%2bb%2fc%3d'],
		['encoded in capitals and quoted in small letters', 'AbC%2Bd', 'AbC%2bd'],
		['with half a character, as it is', 'key\ud800end', 'key\ud800end'],
	])('hides a secret %s', (_title, secret, quoted) => {
		expect(hiderOf([secret]).text(`x ${quoted} y`)).toBe('x (hidden) y');
	});

	it('changes only the letters of percent-codes', () => {
		expect(hiderOf(['KEY']).text('key')).toBe('key');
	});

	it('hides the longer secret first, in whatever order they come', () => {
		for (const secrets of [
			['abc', 'xabcx'],
			['xabcx', 'abc'],
		]) {
			expect(hiderOf(secrets).text('xabcx abc')).toBe('(hidden) (hidden)');
		}
	});

	it('ignores an empty secret', () => {
		expect(hiderOf(['']).text('abc')).toBe('abc');
		expect(HIDES_NOTHING.text('abc')).toBe('abc');
		expect(HIDES_NOTHING.value({ a: ['b'] })).toEqual({ a: ['b'] });
	});

	it('hides secrets in every string and key of a value and keeps its shape', () => {
		const value = { 'k-key1234': ['key1234', 7, null, true, undefined], deep: { x: 'a key1234' } };
		expect(hiderOf(['key1234']).value(value)).toEqual({
			'k-(hidden)': ['(hidden)', 7, null, true, undefined],
			deep: { x: 'a (hidden)' },
		});
		expect(hiderOf(['key1234']).value({ key1234: 7 })).toEqual({ '(hidden)': 7 });
		expect(hiderOf(['key1234']).value(null)).toBeNull();
		expect(hiderOf(['key1234']).value(5)).toBe(5);
		const large = { words: [{ text: 'no secret' }] };
		expect(hiderOf(['key1234']).value(large)).toBe(large);
	});
});

describe('a deeply nested value', () => {
	const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;

	it('keeps 100 levels', () => {
		expect(hiderOf(['key1234']).value(nested(100))).toEqual(nested(100));
		expect(JSON.stringify(hiderOf(['key1234']).value(nested(101)))).toContain('["(hidden)"]');
	});

	it('keeps 100 levels of objects, too', () => {
		const objects = (levels: number) =>
			JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels)) as unknown;
		expect(hiderOf(['key1234']).value(objects(100))).toEqual(objects(100));
		expect(JSON.stringify(hiderOf(['key1234']).value(objects(102)))).toContain('(hidden)');
	});

	it('does not overflow the stack', () => {
		expect(() => hiderOf(['key1234']).value({ id: 'a', more: nested(20_000) })).not.toThrow();
	});
});

describe('the API key in an answer', () => {
	it.each([
		'key-567890123456',
		'abcdefghijklmno8',
		'8abcdefghijklmno',
		'local-_AqpmwwkosjUOYmgNnqQVVlChPGL_XBH',
	])('is hidden: %s', (key) => {
		expect(keyHider(key).value({ echo: `Bearer ${key}` })).toEqual({ echo: 'Bearer (hidden)' });
	});

	it.each(['', 'key-56789012345', 'audio-editing-service', 'AUDIO-EDITING-KEY', 'ключевоеслово'])(
		'is kept if it could be a word of a transcript: %j',
		(key) => {
			expect(keyHider(key).value({ text: `a ${key}` })).toEqual({ text: `a ${key}` });
		},
	);
});

describe('the secrets in a link', () => {
	it.each([
		['every value of its query', 'https://h/p?a=secret1&b=secret22', ['secret1', 'secret22']],
		['a pair without a name', 'https://h/p?secret1', ['secret1']],
		['everything after the first equals sign', 'https://h/p?a=b=secret', ['b=secret']],
		['the password of its user', 'https://bob:hunter22@h/p', ['hunter22']],
		['a password after white space', ' HTTP://bob:hunter22@h/p', ['hunter22']],
		['no port', 'https://h:12345678/p', []],
		['no part of a path', 'https://h/a:b234567@c', []],
		['a value after a semicolon', 'https://h/p?a=1;b=secret', ['secret']],
		['no fragment', 'https://h/p?a=secret1#fragment', ['secret1']],
		['nothing shorter than six characters', 'https://h/p?a=12345&b=123456', ['123456']],
		['nothing without a query', 'https://h/path-path-path#fragment', []],
	])('are %s', (_title, url, secrets) => {
		expect([...new Set(secretsInLink(url))]).toEqual(secrets);
	});

	it('are found as written, decoded, and decoded with plus signs as spaces', () => {
		expect(secretsInLink('https://h/p?a=abc%2Bdef+g')).toEqual([
			'abc%2Bdef+g',
			'abc+def+g',
			'abc+def g',
		]);
	});

	it('are found as written if they cannot be decoded', () => {
		expect(new Set(secretsInLink('https://h/p?a=100%secret'))).toEqual(new Set(['100%secret']));
	});
});

describe('the secrets in the links of a value', () => {
	it('include those of every link, at any depth', () => {
		const value = {
			files: ['https://h/a?t=secret1', ' HTTP://h/b?t=secret2'],
			config: { signed_url: 'http://h/c?t=secret3', other: null, number: 5 },
		};
		expect([...new Set(secretsInLinksOf(value))]).toEqual(['secret1', 'secret2', 'secret3']);
	});

	it.each([
		['a text that is not a link', 'see?t=secret1'],
		['a text with a link in it', 'see https://h/a?t=secret1'],
		['nothing', null],
		['a number', 5],
	])('are absent from %s', (_title, value) => {
		expect(secretsInLinksOf(value)).toEqual([]);
	});
});
