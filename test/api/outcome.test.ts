import { type FailureKind, failed, mayHaveBeenTaken, success, wasSent } from '../../api/failure';

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
	it.each<[FailureKind, number | undefined, boolean]>([
		['invalid', undefined, false],
		['unreachable', undefined, false],
		['broken', undefined, true],
		['timeout', undefined, true],
		['unreadable', undefined, true],
		['unreadable', 200, true],
		['tooLarge', undefined, true],
		['redirect', undefined, false],
		['redirect', 301, false],
		['redirect', 302, true],
		['redirect', 303, true],
		['redirect', 307, false],
		['status', undefined, false],
		['status', 401, false],
		['status', 408, true],
		['status', 422, false],
		['status', 429, false],
		['status', 499, false],
		['status', 500, true],
		['status', 503, true],
	])('after %s %s: %s', (kind, status, isTaken) => {
		expect(mayHaveBeenTaken({ kind, status, request: REQUEST })).toBe(isTaken);
	});

	it('only if it was sent', () => {
		expect(mayHaveBeenTaken({ kind: 'broken', request: REQUEST, wasSent: false })).toBe(false);
	});
});
