import type { RequestFailure } from '../../api/failure';
import { RateLimit } from '../../waiting/rateLimit';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** The service's window and the margin on top of it. */
const WINDOW_MS = 61_000;

function limitOf(callsPerMinute: number, burst: number, takenAtMs: readonly number[] = []) {
	const rateLimit = new RateLimit({ callsPerMinute, burst });
	for (const atMs of takenAtMs) rateLimit.begin(atMs);
	return rateLimit;
}

const times = (count: number, atMs: (n: number) => number) =>
	Array.from({ length: count }, (_, n) => atMs(n));

const TWENTY_AT_ONCE = times(20, () => 0);

describe('the burst', () => {
	it('begins at once, and later requests are spread evenly over the minute', () => {
		const rateLimit = limitOf(60, 3);
		for (const freeAtMs of [0, 0, 0, 1_000, 2_000, 3_000]) {
			expect(rateLimit.nextFreeAtMs(freeAtMs === 0 ? 0 : freeAtMs - 999)).toBe(freeAtMs);
			rateLimit.begin(freeAtMs);
		}
	});

	it('never grows beyond its size while idle', () => {
		const rateLimit = limitOf(60, 3, [0, 0, 0]);
		for (const freeAtMs of [0, 0, 0, 1_000]) {
			expect(rateLimit.nextFreeAtMs(10 * MINUTE_MS)).toBe(10 * MINUTE_MS + freeAtMs);
			rateLimit.begin(10 * MINUTE_MS);
		}
	});

	it('is followed by a wait in whole milliseconds, rounded up', () => {
		expect(limitOf(7, 1, [0]).nextFreeAtMs(0)).toBe(Math.ceil(MINUTE_MS / 7));
	});
});

describe('the window', () => {
	it('lets the next request begin a second after the oldest has left it', () => {
		const rateLimit = limitOf(4, 4, [0, 0, 0, 10_000]);
		for (const nowMs of [20_000, 59_500, WINDOW_MS - 1]) {
			expect(rateLimit.nextFreeAtMs(nowMs)).toBe(WINDOW_MS);
		}
		expect(rateLimit.nextFreeAtMs(WINDOW_MS)).toBe(WINDOW_MS);
		for (let call = 0; call < 3; call++) rateLimit.begin(WINDOW_MS);
		expect(rateLimit.nextFreeAtMs(WINDOW_MS)).toBe(10_000 + WINDOW_MS);
	});

	it('counts back from the latest request after a 429', () => {
		const rateLimit = limitOf(
			30,
			30,
			times(20, (n) => n * SECOND_MS),
		);
		rateLimit.refused(20_000, 20_000);
		expect(rateLimit.callsPerMinuteAt(20_000)).toBe(15);
		expect(rateLimit.nextFreeAtMs(20_000)).toBe(5_000 + WINDOW_MS);
	});
});

describe('the pause after a 429', () => {
	it('lets nothing begin before its end, and is not ended by a shorter one', () => {
		const rateLimit = limitOf(60, 60);
		rateLimit.refused(0, 5_000);
		rateLimit.refused(0, 3_000);
		expect(rateLimit.nextFreeAtMs(1_000)).toBe(5_000);
		expect(rateLimit.nextFreeAtMs(6_000)).toBe(6_000);
	});
});

describe('a 429', () => {
	it('allows a quarter less than was used, once for requests that were under way together', () => {
		const rateLimit = limitOf(30, 30, TWENTY_AT_ONCE);
		rateLimit.refused(1_000, 10_000);
		rateLimit.refused(2_000, 12_000);
		expect(rateLimit.callsPerMinuteAt(12_000)).toBe(15);
		expect(rateLimit.nextFreeAtMs(2_000)).toBeGreaterThanOrEqual(12_000);
	});

	it('counts again from the end of the pause', () => {
		const rateLimit = limitOf(30, 30, TWENTY_AT_ONCE);
		rateLimit.refused(1_000, 10_000);
		rateLimit.refused(10_000, 20_000);
		expect(rateLimit.callsPerMinuteAt(20_000)).toBe(11);
	});

	it('leaves a tenth of the limit, even if nothing was used in this minute', () => {
		const rateLimit = limitOf(30, 30, TWENTY_AT_ONCE);
		rateLimit.refused(70_000, 70_000);
		expect(rateLimit.callsPerMinuteAt(70_000)).toBe(3);
	});

	it('leaves at least one request a minute', () => {
		const rateLimit = limitOf(5, 5);
		rateLimit.refused(0, 0);
		expect(rateLimit.callsPerMinuteAt(0)).toBe(1);
	});

	it('already counts with the new rate during the pause', () => {
		const rateLimit = limitOf(300, 1, [0]);
		rateLimit.refused(1_000, 2_000);
		expect(rateLimit.callsPerMinuteAt(1_000)).toBe(30);
		expect(rateLimit.nextFreeAtMs(1_000)).toBeLessThanOrEqual(3_000);
	});

	it('adds a tenth of the limit in each whole minute after the pause', () => {
		const rateLimit = limitOf(30, 30, TWENTY_AT_ONCE);
		rateLimit.refused(1_000, 31_000);
		const allowed = [0, 59_999, 60_000, 120_000, 299_999, 300_000, 900_000];
		expect(allowed.map((afterMs) => rateLimit.callsPerMinuteAt(31_000 + afterMs))).toEqual([
			15, 15, 18, 21, 27, 30, 30,
		]);
	});
});

const refusal: RequestFailure = { kind: 'status', status: 429, request: 'GET' };
/** How long the polls pause after refusals; each is when the poll began and when it was answered. */
const pauseAfter = (rateLimit: RateLimit, refusals: ReadonlyArray<readonly [number, number]>) => {
	for (const [begunAtMs, nowMs] of refusals) {
		rateLimit.refusedPoll(refusal, begunAtMs, nowMs, 1);
	}
	const lastAtMs = refusals.at(-1)![1];
	return rateLimit.nextFreeAtMs(lastAtMs) - lastAtMs;
};

describe('the 429s of polls', () => {
	it('count once for those that were under way together, also if some arrive after the pause', () => {
		const rateLimit = limitOf(300, 60, TWENTY_AT_ONCE);
		expect(
			pauseAfter(rateLimit, [
				[0, 200],
				[0, 200],
				[0, 700],
				[0, 5_000],
			]),
		).toBe(0);
		expect(rateLimit.callsPerMinuteAt(5_000)).toBe(30);
		expect(pauseAfter(rateLimit, [[5_000, 5_100]])).toBe(2_000);
	});

	it('pause twice as long from one to the next, and begin anew after an answer', () => {
		const rateLimit = limitOf(300, 60);
		const pauses = [0, 10_000, 20_000].map((ms) => pauseAfter(rateLimit, [[ms, ms + 100]]));
		rateLimit.answeredPoll(30_000);
		expect([...pauses, pauseAfter(rateLimit, [[40_000, 40_100]])]).toEqual([
			1_000, 2_000, 4_000, 1_000,
		]);
	});

	it('are not forgotten because of an answer to a poll that began before them', () => {
		const rateLimit = limitOf(300, 60);
		pauseAfter(rateLimit, [[0, 100]]);
		rateLimit.answeredPoll(50);
		expect(pauseAfter(rateLimit, [[10_000, 10_100]])).toBe(2_000);
	});

	it('wait as long as any Retry-After of those that were under way together', () => {
		const rateLimit = limitOf(300, 60);
		rateLimit.refusedPoll({ ...refusal, retryAfterMs: 5_000 }, 0, 100, 1);
		rateLimit.refusedPoll({ ...refusal, retryAfterMs: 20_000 }, 0, 100, 1);
		rateLimit.refusedPoll(refusal, 0, 200, 1);
		expect(rateLimit.nextFreeAtMs(200)).toBe(20_100);
	});

	it('count once even if the answer to the slowest comes when the pause is over', () => {
		const rateLimit = limitOf(300, 60, TWENTY_AT_ONCE);
		const asking = { ...refusal, retryAfterMs: 1_000 };
		rateLimit.refusedPoll(asking, 0, 100, 1);
		rateLimit.refusedPoll(asking, 0, 5_000, 1);
		// A tenth of the limit; three quarters of twenty would be less.
		expect(rateLimit.callsPerMinuteAt(6_000)).toBe(30);
		rateLimit.refusedPoll(asking, 0, 62_000, 1);
		expect(rateLimit.callsPerMinuteAt(62_500)).toBe(60);
		expect(pauseAfter(rateLimit, [[70_000, 70_100]])).toBe(2_000);
	});
});

describe('polls after a 429', () => {
	it('let one poll begin after the pause, and then as many as the lower rate allows', () => {
		const rateLimit = limitOf(
			300,
			60,
			times(60, () => 0),
		);
		expect(pauseAfter(rateLimit, [[0, 100]])).toBe(1_000);
		rateLimit.begin(1_100);
		// Of 45 a minute, 16 have to leave the window.
		expect(rateLimit.callsPerMinuteAt(1_100)).toBe(45);
		expect(rateLimit.nextFreeAtMs(1_100)).toBe(WINDOW_MS);
	});

	it('let none begin that the whole limit does not allow', () => {
		const rateLimit = limitOf(60, 60, TWENTY_AT_ONCE.concat(TWENTY_AT_ONCE, TWENTY_AT_ONCE));
		expect(pauseAfter(rateLimit, [[0, 100]])).toBe(WINDOW_MS - 100);
	});
});

describe('changed limits', () => {
	it('apply from now on; earlier requests count at most as the new limit', () => {
		const rateLimit = limitOf(
			100,
			100,
			times(100, () => 0),
		);
		rateLimit.changeLimits({ callsPerMinute: 30, burst: 30 });
		expect(rateLimit.callsPerMinuteAt(0)).toBe(30);
		rateLimit.refused(1_000, 1_000);
		expect(rateLimit.callsPerMinuteAt(1_000)).toBe(22);
	});

	it('can concern the burst alone', () => {
		const rateLimit = limitOf(60, 1);
		rateLimit.changeLimits({ callsPerMinute: 60, burst: 3 });
		// The burst refills by one request a second.
		expect(rateLimit.nextFreeAtMs(10_000)).toBe(10_000);
		for (let call = 0; call < 3; call++) rateLimit.begin(10_000);
		expect(rateLimit.nextFreeAtMs(10_000)).toBe(11_000);
	});

	it('that equal the old ones do not undo the effect of a 429', () => {
		const rateLimit = limitOf(30, 30, TWENTY_AT_ONCE);
		rateLimit.refused(1_000, 31_000);
		rateLimit.changeLimits({ callsPerMinute: 30, burst: 30 });
		expect(rateLimit.callsPerMinuteAt(31_000)).toBe(15);
		rateLimit.changeLimits({ callsPerMinute: 40, burst: 30 });
		expect(rateLimit.callsPerMinuteAt(31_000)).toBe(40);
	});
});
