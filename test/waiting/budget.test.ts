import { RequestBudget } from '../../waiting/budget';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** The service's window and the margin on top of it. */
const WINDOW_MS = 61_000;

function budgetOf(callsPerMinute: number, burst: number, takenAtMs: readonly number[] = []) {
	const budget = new RequestBudget({ callsPerMinute, burst });
	for (const atMs of takenAtMs) budget.take(atMs);
	return budget;
}

const times = (count: number, atMs: (n: number) => number) =>
	Array.from({ length: count }, (_, n) => atMs(n));

describe('the burst', () => {
	it('begins at once, and later requests are spread evenly over the minute', () => {
		const budget = budgetOf(60, 3);
		for (const freeAtMs of [0, 0, 0, 1_000, 2_000, 3_000]) {
			expect(budget.nextFreeAtMs(freeAtMs === 0 ? 0 : freeAtMs - 999)).toBe(freeAtMs);
			budget.take(freeAtMs);
		}
	});

	it('never grows beyond its size while idle', () => {
		const budget = budgetOf(60, 3, [0, 0, 0]);
		for (const freeAtMs of [0, 0, 0, 1_000]) {
			expect(budget.nextFreeAtMs(10 * MINUTE_MS)).toBe(10 * MINUTE_MS + freeAtMs);
			budget.take(10 * MINUTE_MS);
		}
	});

	it('is timed in whole milliseconds, rounded up', () => {
		expect(budgetOf(7, 1, [0]).nextFreeAtMs(0)).toBe(Math.ceil(MINUTE_MS / 7));
	});
});

describe('the window', () => {
	it('lets the next request begin a second after the oldest has left it', () => {
		const budget = budgetOf(4, 4, [0, 0, 0, 10_000]);
		for (const nowMs of [20_000, 59_500, WINDOW_MS - 1]) {
			expect(budget.nextFreeAtMs(nowMs)).toBe(WINDOW_MS);
		}
		expect(budget.nextFreeAtMs(WINDOW_MS)).toBe(WINDOW_MS);
		for (let call = 0; call < 3; call++) budget.take(WINDOW_MS);
		expect(budget.nextFreeAtMs(WINDOW_MS)).toBe(10_000 + WINDOW_MS);
	});

	it('counts back from the latest request if the limit has fallen', () => {
		const budget = budgetOf(
			30,
			30,
			times(20, (n) => n * SECOND_MS),
		);
		budget.refused(20_000, 20_000);
		expect(budget.callsPerMinuteAt(20_000)).toBe(15);
		expect(budget.nextFreeAtMs(20_000)).toBe(5_000 + WINDOW_MS);
	});
});

describe('a pause', () => {
	it('lets nothing begin before its end, and is not ended by a shorter one', () => {
		const budget = budgetOf(60, 60);
		budget.pauseUntil(5_000);
		budget.pauseUntil(3_000);
		expect(budget.nextFreeAtMs(1_000)).toBe(5_000);
		expect(budget.nextFreeAtMs(6_000)).toBe(6_000);
		expect(budget.callsPerMinuteAt(1_000)).toBe(60);
	});
});

describe('a 429', () => {
	it('cuts the limit to three quarters of the recent use, once for requests under way together', () => {
		const budget = budgetOf(
			30,
			30,
			times(20, () => 0),
		);
		budget.refused(1_000, 10_000);
		budget.refused(2_000, 12_000);
		expect(budget.callsPerMinuteAt(12_000)).toBe(15);
		expect(budget.nextFreeAtMs(2_000)).toBeGreaterThanOrEqual(12_000);
	});

	it('counts again from the end of the pause', () => {
		const budget = budgetOf(
			30,
			30,
			times(20, () => 0),
		);
		budget.refused(1_000, 10_000);
		budget.refused(10_000, 20_000);
		expect(budget.callsPerMinuteAt(20_000)).toBe(11);
	});

	it('leaves a tenth of the limit, even if nothing was used in this minute', () => {
		const budget = budgetOf(
			30,
			30,
			times(20, () => 0),
		);
		budget.refused(70_000, 70_000);
		expect(budget.callsPerMinuteAt(70_000)).toBe(3);
	});

	it('leaves at least one request a minute', () => {
		const budget = budgetOf(5, 5);
		budget.refused(0, 0);
		expect(budget.callsPerMinuteAt(0)).toBe(1);
	});

	it('wears off by a tenth of the limit in each whole minute after the pause', () => {
		const budget = budgetOf(
			30,
			30,
			times(20, () => 0),
		);
		budget.refused(1_000, 31_000);
		const allowed = [0, 59_999, 60_000, 120_000, 299_999, 300_000, 900_000];
		expect(allowed.map((afterMs) => budget.callsPerMinuteAt(31_000 + afterMs))).toEqual([
			15, 15, 18, 21, 27, 30, 30,
		]);
	});
});

describe('changed limits', () => {
	it('apply at once, and earlier use counts at most as the new limit', () => {
		const budget = budgetOf(
			100,
			100,
			times(100, () => 0),
		);
		budget.changeLimits({ callsPerMinute: 30, burst: 30 });
		expect(budget.callsPerMinuteAt(0)).toBe(30);
		budget.refused(1_000, 1_000);
		expect(budget.callsPerMinuteAt(1_000)).toBe(22);
	});

	it('can concern the burst alone', () => {
		const budget = budgetOf(60, 1);
		budget.changeLimits({ callsPerMinute: 60, burst: 3 });
		// The burst refills by one request a second.
		expect(budget.nextFreeAtMs(10_000)).toBe(10_000);
		for (let call = 0; call < 3; call++) budget.take(10_000);
		expect(budget.nextFreeAtMs(10_000)).toBe(11_000);
	});

	it('that equal the old ones do not undo the effect of a 429', () => {
		const budget = budgetOf(
			30,
			30,
			times(20, () => 0),
		);
		budget.refused(1_000, 31_000);
		budget.changeLimits({ callsPerMinute: 30, burst: 30 });
		expect(budget.callsPerMinuteAt(31_000)).toBe(15);
		budget.changeLimits({ callsPerMinute: 40, burst: 30 });
		expect(budget.callsPerMinuteAt(31_000)).toBe(40);
	});
});
