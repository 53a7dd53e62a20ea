/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they make streams */
import { Readable } from 'stream';

import { statusFailure } from '../../api/responseBody';
import { hiderOf } from '../../api/secrets';

const ASKED = {
	request: 'GET /v2/edits/a',
	origin: 'https://api.example.com',
	target: 'service',
} as const;

const answer = (body: unknown, statusCode = 400, headers = {}) => ({
	body: body as object,
	headers,
	statusCode,
});

const REFUSED = { ...ASKED, kind: 'status', wasSent: true, status: 400, retryAfterMs: undefined };

describe('the text of an error response', () => {
	it.each<[string, unknown, object]>([
		['the text itself', '  no\u0000 such thing ', { said: 'no such thing', isJson: false }],
		['no text', '', { said: undefined, isJson: false }],
		['a web page', '<!DOCTYPE html><p>', { isWebPage: true, isJson: false }],
		['JSON in a string', '{"detail":"no"}', { said: 'no' }],
		['the text of detail', { detail: 'no', message: 'other' }, { said: 'no' }],
		['the text of message', { detail: { a: 1 }, message: 'no' }, { said: 'no' }],
		['the whole body if it has no text', { id: 'e-1' }, { said: '{"id":"e-1"}' }],
		['nothing for an empty body', {}, { said: undefined }],
		['nothing for no body', null, { said: undefined }],
		['nothing for a number', 5, { said: undefined }],
		[
			'code and message of a rate limit',
			{ error: { code: 'E9001', message: 'slow\ndown' } },
			{ said: 'E9001: slow down' },
		],
	])('is %s', async (_title, body, facts) => {
		expect(await statusFailure(ASKED, answer(body))).toEqual({ ...REFUSED, ...facts });
	});

	it('lists each entry of a 422 by its field, without the wrappers', async () => {
		const detail = [
			[['body', 'input', 'config', 'target_lufs'], 'too loud'],
			[['body', 'input', 'files', 0], 'no URL'],
			[['body'], 'missing'],
			[['query', 'input'], 'odd'],
			[['body', 'config', 'input'], 'deep'],
			[[], 'nothing\nat all'],
		].map(([loc, msg]) => ({ loc, msg, type: 'x' }));
		const { details } = await statusFailure(ASKED, answer({ detail }, 422));
		expect(details).toEqual([
			'config.target_lufs: too loud',
			'files.0: no URL',
			'request: missing',
			'query: odd',
			'config.input: deep',
			'request: nothing at all',
		]);
	});

	it('carries no secret in any form', async () => {
		const hider = hiderOf(['s3cret-key']);
		const said = async (body: unknown) => (await statusFailure(ASKED, answer(body), hider)).said;
		expect(await said('bad s3cret-key')).toBe('bad (hidden)');
		expect(await said({ detail: 'bad s3cret-key' })).toBe('bad (hidden)');
	});

	it('includes how long to wait', async () => {
		const busy = answer('', 503, { 'retry-after': '7' });
		expect(await statusFailure(ASKED, busy)).toMatchObject({ status: 503, retryAfterMs: 7_000 });
	});
});

describe('the body of a streamed response', () => {
	const said = async (stream: Readable, target: 'service' | 'link' = 'service') =>
		(await statusFailure({ ...ASKED, target }, answer(stream))).said;

	it('is parsed like any other', async () => {
		expect(await said(Readable.from([Buffer.from('{"detail":'), Buffer.from('"no"}')]))).toBe('no');
	});

	it.each([
		['link', 16_384],
		['service', 1_048_576],
	] as const)('of a %s is read up to %d bytes', async (target, maxBytes) => {
		let chunks = 0;
		const endless = Readable.from(
			(function* () {
				for (;;) {
					chunks += 1;
					yield Buffer.alloc(maxBytes / 4, 'x');
				}
			})(),
			{ highWaterMark: 1 },
		);
		expect(await said(endless, target)).toMatch(/^x{500}…$/);
		expect(chunks).toBeGreaterThanOrEqual(5);
		expect(chunks).toBeLessThanOrEqual(8);
	});

	it('may be a long validation error, such as one that repeats the request', async () => {
		const detail = [{ loc: ['body', 'input'], msg: 'no', type: 'x', input: 'y'.repeat(100_000) }];
		const body = Readable.from([Buffer.from(JSON.stringify({ detail }))]);
		expect((await statusFailure(ASKED, answer(body, 422))).details).toEqual(['request: no']);
	});

	it('keeps the status and what arrived before the body broke off', async () => {
		const broken = Readable.from(
			(function* () {
				yield Buffer.from('half a sen');
				throw new Error('cut');
			})(),
		);
		const failure = await statusFailure(ASKED, answer(broken, 502));
		expect(failure).toMatchObject({ kind: 'status', status: 502 });
		expect(failure.said).toBe('half a sen');
	});
});

describe('a redirect', () => {
	const redirected = async (location: unknown, target: 'service' | 'link' = 'service') =>
		await statusFailure(
			{ ...ASKED, target },
			answer('', 302, { location }),
			hiderOf(['s3cret-key', 'S3cret-key']),
		);
	const facts = { ...ASKED, kind: 'redirect', wasSent: true, status: 302 };

	it('from the service names host and path, without query and secrets', async () => {
		expect(await redirected('https://other.example:8443/edits/s3cret-key?t=x')).toEqual({
			...facts,
			said: 'other.example:8443/edits/(hidden)',
		});
	});

	it.each(['//S3cret-key.example/x', '//S3cret-key/x', '//a.b:8443@S3cret-key?x'])(
		'does not name a host that contains a secret: %s',
		async (location) => {
			expect((await redirected(`https:${location}`)).said).toMatch(/^\(hidden\)(\/x)?\/?$/);
		},
	);

	it('names the host if only the path contains a secret with an address in it', async () => {
		const location = '/x?next=https://S3cret-key.example/y';
		expect((await redirected(location)).said).toBe('api.example.com/x');
	});

	it('resolves a relative address against the origin', async () => {
		expect((await redirected('/v3/edits')).said).toBe('api.example.com/v3/edits');
	});

	it('from a link names only the host, since the path may be secret', async () => {
		expect(await redirected('https://other.example/a/b', 'link')).toEqual({
			...facts,
			target: 'link',
			said: 'other.example',
		});
	});

	it.each([[undefined], [7], ['http://[']])('to %j names nothing', async (location) => {
		expect(await redirected(location)).toEqual(facts);
	});

	it('is every status below 400', async () => {
		expect((await statusFailure(ASKED, answer('', 399))).kind).toBe('redirect');
		expect((await statusFailure(ASKED, answer('', 400))).kind).toBe('status');
	});
});

it('shows the first ten entries of a 422, also of those that carry no type', async () => {
	const detail = Array.from({ length: 2_000 }, (_, at) => ({ loc: ['body', at], msg: 'bad' }));
	const failure = await statusFailure({ ...ASKED, target: 'service' }, answer({ detail }, 422));
	expect(failure).toMatchObject({ target: 'service', details: { length: 10, 9: '9: bad' } });
});
