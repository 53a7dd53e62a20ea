/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they make streams */
import { Readable } from 'stream';

import { type FailureKind, failed, mayHaveBeenTaken, success, wasSent } from '../../api/failure';
import { codeOf, networkFailure } from '../../api/networkFailure';
import { statusFailure } from '../../api/responseBody';
import { hiderOf } from '../../api/secrets';

const ASKED = {
	request: 'GET /v2/edits/a',
	origin: 'https://api.example.com',
	target: 'service',
} as const;

const errorOf = (code: string, syscall?: string, message = `what ${code} says`) =>
	Object.assign(new Error(message), { code, syscall });

/** Wraps an error as n8n does: NodeApiError around AxiosError around the Node.js error. */
const wrapped = (cause: Error & { code?: string }) =>
	Object.assign(new Error('wrapped'), {
		cause: Object.assign(new Error('axios'), { code: cause.code, cause }),
	});

describe('the code of a network error', () => {
	it('is the first string found, from the outside in', () => {
		const cause = { code: 7, cause: { code: 'EPIPE', cause: { code: 'ETIMEDOUT' } } };
		expect(codeOf({ cause })).toBe('EPIPE');
	});

	it.each([[null], [undefined], ['ECONNRESET'], [{}], [{ cause: null }]])(
		'is empty for %j',
		(error) => {
			expect(codeOf(error)).toBe('');
		},
	);
});

describe('a request without a response', () => {
	it.each([
		...[
			'DEPTH_ZERO_SELF_SIGNED_CERT',
			'SELF_SIGNED_CERT_IN_CHAIN',
			'ERR_INVALID_URL',
			'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
			'ERR_TLS_CERT_ALTNAME_INVALID',
			'UNABLE_TO_GET_ISSUER_CERT',
			'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
		].map((code) => [code, undefined, `what ${code} says`] as const),
		['ECONNREFUSED', undefined, 'nothing is listening at that address'],
		['ENOTFOUND', undefined, 'there is no host with that name'],
		['EAI_AGAIN', undefined, 'the host name could not be looked up'],
		['CERT_HAS_EXPIRED', undefined, "the host's certificate has expired"],
		[
			'CERT_NOT_YET_VALID',
			undefined,
			"the host's certificate is not valid yet: check the clock of n8n's machine",
		],
		['EHOSTUNREACH', 'connect', 'the host is unreachable from n8n'],
		['ENETUNREACH', 'connect', 'the network of that host is unreachable from n8n'],
		['EADDRNOTAVAIL', 'connect', 'what EADDRNOTAVAIL says'],
		['ETIMEDOUT', 'connect', 'that host did not respond'],
		['EOTHER', 'getaddrinfo', 'what EOTHER says'],
	] as const)('%s in %s means that no connection was made', (code, syscall, said) => {
		const found = { kind: 'unreachable', wasSent: false };
		const error = errorOf(code, syscall);
		expect(networkFailure(ASKED, error)).toEqual({ ...ASKED, ...found, said });
		expect(networkFailure(ASKED, wrapped(error))).toMatchObject(found);
	});

	it.each([
		['ECONNRESET', 'the connection was cut'],
		['EPIPE', 'the connection was cut while sending'],
		['EOTHER', 'what EOTHER says'],
	])('%s means that the connection was cut', (code, said) => {
		expect(networkFailure(ASKED, errorOf(code, 'read'))).toEqual({
			...ASKED,
			kind: 'broken',
			wasSent: true,
			said,
		});
	});

	it.each(['ETIMEDOUT', 'ECONNABORTED', 'ESOCKETTIMEDOUT', 'ERR_HTTP_REQUEST_TIMEOUT'])(
		'%s means a timeout',
		(code) => {
			expect(networkFailure(ASKED, errorOf(code))).toEqual({
				...ASKED,
				kind: 'timeout',
				wasSent: true,
			});
		},
	);

	it('recognizes a stopped execution by the signal or the code', () => {
		const stopped = { ...ASKED, kind: 'stopped', wasSent: true };
		expect(networkFailure(ASKED, errorOf('EPIPE'), AbortSignal.abort())).toEqual(stopped);
		expect(networkFailure(ASKED, errorOf('ERR_CANCELED'))).toEqual(stopped);
		const { signal } = new AbortController();
		expect(networkFailure(ASKED, errorOf('EPIPE'), signal).kind).toBe('broken');
	});

	it('quotes the error without secrets, even if it is a string', () => {
		const hider = hiderOf(['s3cret-key']);
		const error = errorOf('EOTHER', 'read', 'bad s3cret-key');
		expect(networkFailure(ASKED, error, undefined, hider).said).toBe('bad (hidden)');
		expect(networkFailure(ASKED, 'bad s3cret-key', undefined, hider).said).toBe('bad (hidden)');
	});

	it.each([
		['has no connection yet', null, true],
		['waits for TLS', { secureConnecting: true, connecting: false, bytesWritten: 216 }, true],
		['was made', { secureConnecting: false, connecting: false }, false],
		['is not known', undefined, false],
	])('counts as unsent only if its connection %s: %j', (_title, socket, isUnsent) => {
		const wrapped = { code: 'EOTHER', request: { socket }, cause: errorOf('EOTHER') };
		const failure = networkFailure(ASKED, { message: 'wrapped', cause: wrapped });
		expect(failure.kind).toBe(isUnsent ? 'unreachable' : 'broken');
		expect(failure.wasSent).toBe(!isUnsent);
		expect(networkFailure(ASKED, wrapped, AbortSignal.abort()).wasSent).toBe(!isUnsent);
	});

	it("counts as unsent if n8n refuses the address, whatever the error's code", () => {
		const blocked = Object.assign(new Error('blocked'), { name: 'SsrfBlockedIpError' });
		const failure = networkFailure(ASKED, { cause: blocked });
		expect(failure).toMatchObject({ kind: 'unreachable', wasSent: false });
	});

	it('counts as possibly sent if its list of tries is empty', () => {
		const error = Object.assign(new AggregateError([]), { code: 'EOTHER' });
		expect(networkFailure(ASKED, error).wasSent).toBe(true);
		const causes = Object.assign(new Error('x'), { errors: 'none', cause: errorOf('ENOTFOUND') });
		expect(networkFailure(ASKED, causes).wasSent).toBe(false);
	});

	it('was not sent if none of several addresses could be reached', () => {
		const errors = [errorOf('ETIMEDOUT', 'connect'), errorOf('ENETUNREACH', 'connect')];
		const error = wrapped(Object.assign(new AggregateError(errors), { code: 'ETIMEDOUT' }));
		expect(networkFailure(ASKED, error)).toMatchObject({ kind: 'unreachable', wasSent: false });
	});

	it.each(['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ETIMEDOUT'])(
		'%s while reading may have carried the request',
		(code) => {
			for (const syscall of ['read', 'write', undefined]) {
				const kind = code === 'ETIMEDOUT' ? 'timeout' : 'broken';
				const failure = networkFailure(ASKED, wrapped(errorOf(code, syscall)));
				expect(failure).toMatchObject({ kind, wasSent: true });
			}
		},
	);

	it('may have been sent even if only one of several tries connected', () => {
		const errors = [errorOf('ECONNRESET', 'read'), errorOf('ENETUNREACH', 'connect')];
		const error = Object.assign(new AggregateError(errors), { code: 'ENETUNREACH' });
		expect(networkFailure(ASKED, error)).toMatchObject({ kind: 'broken', wasSent: true });
	});

	it('may have been sent even if the error is its own cause', () => {
		const error = errorOf('EPIPE');
		expect(networkFailure(ASKED, Object.assign(error, { cause: error })).kind).toBe('broken');
	});
});

const answer = (body: unknown, statusCode = 400, headers = {}) => ({
	body: body as object,
	headers,
	statusCode,
});

const REFUSED = { ...ASKED, kind: 'status', wasSent: true, status: 400, retryAfterMs: undefined };

describe('the text of an error response', () => {
	it.each<[string, unknown, object]>([
		['the text itself', '  no\u0000 such thing ', { said: 'no such thing' }],
		['no text', '', { said: undefined }],
		['a web page', '<!DOCTYPE html><p>', { isWebPage: true }],
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
	] as const)('of a %s is read up to %d bytes', async (target, maximumBytes) => {
		let chunks = 0;
		const endless = Readable.from(
			(function* () {
				for (;;) {
					chunks += 1;
					yield Buffer.alloc(maximumBytes / 4, 'x');
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

const REQUEST = 'POST /v2/edits';

it('a success carries its value', () => {
	expect(success(7)).toEqual({ ok: true, value: 7 });
});

it.each<[FailureKind, boolean]>([
	['invalid', false],
	['unreachable', false],
	['broken', true],
	['timeout', true],
	['stopped', true],
	['redirect', true],
	['status', true],
	['unreadable', true],
	['tooLarge', true],
	['wrongSize', true],
])('a failure of the kind %s: the request may have left this machine: %s', (kind, isSent) => {
	expect(wasSent({ kind, request: REQUEST })).toBe(isSent);
	// What is known takes precedence.
	expect(wasSent({ kind, request: REQUEST, wasSent: !isSent })).toBe(!isSent);
	expect(failed({ kind, request: REQUEST })).toEqual({
		ok: false,
		failure: { kind, request: REQUEST, wasSent: isSent },
	});
});

describe('a charged request may have been accepted', () => {
	it.each<[FailureKind, taken: Array<number | undefined>, not: Array<number | undefined>]>([
		['invalid', [], [undefined]],
		['unreachable', [], [undefined]],
		['broken', [undefined], []],
		['timeout', [undefined], []],
		['unreadable', [undefined, 200], []],
		['tooLarge', [undefined], []],
		['redirect', [302, 303], [undefined, 301, 307]],
		['status', [408, 500, 503], [undefined, 401, 422, 429, 499]],
	])('after %s with status %j, but not with %j', (kind, taken, not) => {
		const isTaken = (status?: number) => mayHaveBeenTaken({ kind, status, request: REQUEST });
		expect(taken.map(isTaken)).toEqual(taken.map(() => true));
		expect(not.map(isTaken)).toEqual(not.map(() => false));
	});

	it('only if it was sent', () => {
		expect(mayHaveBeenTaken({ kind: 'broken', request: REQUEST, wasSent: false })).toBe(false);
	});
});
