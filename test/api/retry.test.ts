import type { RequestFailure } from '../../api/failure';
import { type RequestClass, backoffMs, mayRepeat, parseRetryAfterMs } from '../../api/retry';

const failure = (kind: RequestFailure['kind'], status?: number): RequestFailure => ({
	kind,
	status,
	request: 'GET /x',
});

describe('which requests are retried', () => {
	const always: RequestClass[] = ['read', 'repeat'];
	const rows: Array<[string, RequestFailure, RequestClass[]]> = [
		['no connection', failure('unreachable'), [...always, 'submit']],
		['a cut connection', failure('broken'), always],
		['a time-out', failure('timeout'), always],
		['408', failure('status', 408), always],
		['429', failure('status', 429), [...always, 'submit']],
		['500', failure('status', 500), always],
		['503', failure('status', 503), always],
		['400', failure('status', 400), []],
		['401', failure('status', 401), []],
		['404', failure('status', 404), []],
		['409', failure('status', 409), []],
		['422', failure('status', 422), []],
		['a redirect', failure('redirect', 302), []],
		['an unreadable response', failure('unreadable'), []],
		['a stopped execution', failure('stopped'), []],
		['an invalid request', failure('invalid'), []],
	];
	const classes: RequestClass[] = ['read', 'repeat', 'submit'];
	it.each(rows)('after %s', (_name, cause, repeated) => {
		expect(classes.filter((requestClass) => mayRepeat(requestClass, cause))).toEqual(repeated);
	});
});

describe('how long a retry waits', () => {
	it('draws from a range that doubles: up to 1, 2, 4 … s, never over a minute', () => {
		const longest = [1, 2, 3, 4, 5, 6, 7, 8].map((tries) => backoffMs(failure('broken'), tries, 1));
		expect(longest).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
		expect(backoffMs(failure('broken'), 5, 0)).toBe(0);
	});

	it('obeys Retry-After up to a minute', () => {
		expect(backoffMs({ ...failure('status', 429), retryAfterMs: 7_000 }, 1, 0.5)).toBe(7_000);
		expect(backoffMs({ ...failure('status', 429), retryAfterMs: 9e9 }, 1, 0.5)).toBe(60_000);
	});

	it('reads Retry-After in seconds and as a date', () => {
		const nowMs = Date.parse('2026-01-01T00:00:00Z');
		expect(parseRetryAfterMs('12', nowMs)).toBe(12_000);
		expect(parseRetryAfterMs('Thu, 01 Jan 2026 00:00:30 GMT', nowMs)).toBe(30_000);
		expect(parseRetryAfterMs('1', nowMs)).toBe(1_000);
	});

	it.each(['0', 0, '0.001', '-3', 'soon', '', undefined, 'Wed, 31 Dec 2025 23:59:00 GMT'])(
		'uses its own back-off when Retry-After asks for no wait: %p',
		(header) => {
			const nowMs = Date.parse('2026-01-01T00:00:00Z');
			expect(parseRetryAfterMs(header, nowMs)).toBeUndefined();
		},
	);
});
