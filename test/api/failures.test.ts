import { type FailureKind, failed, mayHaveBeenAccepted, success, wasSent } from '../../api/failure';
import { codeOf, networkFailure } from '../../api/networkFailure';
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
});

describe('a request that ends without a response', () => {
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
});

describe('a request that may have been sent', () => {
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
		const isTaken = (status?: number) => mayHaveBeenAccepted({ kind, status, request: REQUEST });
		expect(taken.map(isTaken)).toEqual(taken.map(() => true));
		expect(not.map(isTaken)).toEqual(not.map(() => false));
	});

	it('only if it was sent', () => {
		expect(mayHaveBeenAccepted({ kind: 'broken', request: REQUEST, wasSent: false })).toBe(false);
	});
});
