import { failed } from '../../api/failure';
import { networkFailure } from '../../api/networkFailure';
import { statusFailure } from '../../api/responseBody';

const ASKED = { request: 'POST /v2/edits', origin: 'https://api.example.com' };

const nodeError = (code: string, syscall?: string, more: object = {}) =>
	Object.assign(new Error(`${syscall ?? 'socket'} ${code}`), { code, syscall, ...more });

/** Wraps an error as n8n does: NodeApiError around AxiosError around the Node.js error. */
const wrapped = (cause: Error & { code?: string }) =>
	Object.assign(new Error('wrapped'), {
		cause: Object.assign(new Error('axios'), { code: cause.code, cause }),
	});

const HOST_CODES = ['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ETIMEDOUT'];

describe('a connection that was never made', () => {
	it.each(HOST_CODES)('%s while connecting', (code) => {
		for (const error of [nodeError(code, 'connect'), wrapped(nodeError(code, 'connect'))]) {
			expect(networkFailure(ASKED, error)).toMatchObject({ kind: 'unreachable', wasSent: false });
		}
	});

	it.each([
		['ECONNREFUSED', 'connect'],
		['ENOTFOUND', 'getaddrinfo'],
		['EAI_AGAIN', 'getaddrinfo'],
		['CERT_HAS_EXPIRED', undefined],
	])('%s', (code, syscall) => {
		const error = wrapped(nodeError(code, syscall));
		expect(networkFailure(ASKED, error)).toMatchObject({ kind: 'unreachable', wasSent: false });
	});

	it('to any of several addresses', () => {
		const errors = [nodeError('ETIMEDOUT', 'connect'), nodeError('ENETUNREACH', 'connect')];
		const error = wrapped(Object.assign(new AggregateError(errors), { code: 'ETIMEDOUT' }));
		expect(networkFailure(ASKED, error)).toMatchObject({ kind: 'unreachable', wasSent: false });
	});
});

describe('a connection that was made may have carried the request', () => {
	it.each(HOST_CODES)('%s while reading', (code) => {
		for (const syscall of ['read', 'write', undefined]) {
			const kind = code === 'ETIMEDOUT' ? 'timeout' : 'broken';
			const failure = networkFailure(ASKED, wrapped(nodeError(code, syscall)));
			expect(failure).toMatchObject({ kind, wasSent: true });
		}
	});

	it('even if only one of several tries connected', () => {
		const errors = [nodeError('ECONNRESET', 'read'), nodeError('ENETUNREACH', 'connect')];
		const error = Object.assign(new AggregateError(errors), { code: 'ENETUNREACH' });
		expect(networkFailure(ASKED, error)).toMatchObject({ kind: 'broken', wasSent: true });
	});

	it('even if the error is its own cause', () => {
		const error = nodeError('EPIPE');
		expect(networkFailure(ASKED, Object.assign(error, { cause: error })).kind).toBe('broken');
	});
});

describe('whether a request was sent', () => {
	it('is known for every failure', async () => {
		const response = { body: {}, headers: {}, statusCode: 422 };
		expect((await statusFailure(ASKED, response)).wasSent).toBe(true);
		const redirect = { body: {}, headers: { location: '/x' }, statusCode: 302 };
		expect((await statusFailure(ASKED, redirect)).wasSent).toBe(true);
		const stop = AbortSignal.abort();
		expect(networkFailure(ASKED, nodeError('ERR_CANCELED'), stop)).toMatchObject({
			kind: 'stopped',
			wasSent: true,
		});
	});

	it.each([
		['invalid', false],
		['unreachable', false],
		['unreadable', true],
		['stopped', true],
	] as const)('is filled in for %s', (kind, wasSent) => {
		expect(failed({ ...ASKED, kind })).toMatchObject({ failure: { wasSent } });
		expect(failed({ ...ASKED, kind, wasSent: false })).toMatchObject({
			failure: { wasSent: false },
		});
	});
});

it('shows the first ten entries of a 422', async () => {
	const detail = Array.from({ length: 2_000 }, (_, index) => ({
		loc: ['body', index],
		msg: 'bad',
	}));
	const failure = await statusFailure(ASKED, { body: { detail }, headers: {}, statusCode: 422 });
	expect(failure.details).toHaveLength(10);
	expect(failure.details?.[9]).toBe('9: bad');
});

it('shows the entries of a 422 that carry no type', async () => {
	const detail = [{ loc: ['body', 'input', 'files'], msg: 'Field required' }];
	const response = { body: { detail }, headers: {}, statusCode: 422 };
	const failure = await statusFailure({ ...ASKED, target: 'service' }, response);
	expect(failure).toMatchObject({ target: 'service', details: ['files: Field required'] });
});
