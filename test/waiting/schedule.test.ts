import {
	DEFAULT_POLL_RULES,
	WorkTimes,
	firstPollAtMs,
	nextPollAtMs,
	pollIntervalMs,
} from '../../waiting/schedule';

it('has the rhythm that the API advises', () => {
	expect(DEFAULT_POLL_RULES).toEqual({
		firstPollDelayMs: 30_000,
		pollIntervalMs: 10_000,
		maximumWaitMs: 1_800_000,
		pendingNoticeMs: 600_000,
	});
});

it.each([
	['counts from the start of the wait if the submission is unknown', 30_000, undefined, 130_000],
	['counts from the submission if it is known', 30_000, 90_000, 120_000],
	['is never before the start of the wait', 30_000, 1_000, 100_000],
	['is never before the submission, whatever the delay', -5_000, 200_000, 200_000],
])('the first poll %s', (_title, firstPollDelayMs, submittedAtMs, expectedMs) => {
	const rules = { ...DEFAULT_POLL_RULES, firstPollDelayMs };
	expect(firstPollAtMs(rules, 100_000, submittedAtMs)).toBe(expectedMs);
});

it.each([
	['EDITING', 20_000, 20_000],
	['EXPORT', 20_000, 20_000],
	['EXPORT', 10_000, 10_000],
	['EXPORT', 9_000, 5_000],
	['EXPORT', 5_000, 5_000],
	['EDITING', 1_000, 5_000],
	['EDITING', 9_000, 9_000],
])('an edit in %s with a poll interval of %d ms is polled every %d ms', (status, wish, ms) => {
	expect(pollIntervalMs({ ...DEFAULT_POLL_RULES, pollIntervalMs: wish }, status)).toBe(ms);
});

it.each([
	['an interval later', 100_000, 10_000],
	['at the deadline if that comes first', 9_000, 9_000],
	['at the deadline if that is exactly 5 s away', 5_000, 5_000],
	['not within 5 s, even if the deadline is', 4_999, 10_000],
])('the next poll comes %s', (_title, deadlineMs, expectedMs) => {
	expect(nextPollAtMs(0, 10_000, deadlineMs)).toBe(expectedMs);
});

function afterEnds(...workMs: readonly number[]): WorkTimes {
	const workTimes = new WorkTimes();
	for (const ms of workMs) workTimes.note(ms);
	return workTimes;
}

const times = (count: number, ms: number) => Array.from({ length: count }, () => ms);

describe('the time since the end of an edit', () => {
	it('is guessed while nothing has ended: each moment of its life may have been the last', () => {
		expect(afterEnds().sinceEndMs(0, 60_000, [])).toBe(30_000);
		expect(afterEnds().sinceEndMs(30_000, 60_000, [])).toBe(7_500);
		expect(afterEnds().sinceEndMs(0, 0, [])).toBe(0);
	});

	it('follows the ends that were seen, which count for two thirds when 200 are known', () => {
		const workTimes = afterEnds(...times(200, 60_000));
		// Guessed are 25 s and 45 s.
		expect(workTimes.sinceEndMs(0, 50_000, [])).toBeCloseTo(25_000 / 3);
		expect(workTimes.sinceEndMs(0, 90_000, [])).toBeCloseTo((2 * 30_000 + 45_000) / 3);
	});

	it('forgets all but the last 200 ends', () => {
		const workTimes = afterEnds(...times(50, 10_000), ...times(200, 60_000));
		expect(workTimes.sinceEndMs(0, 50_000, [])).toBeCloseTo(25_000 / 3);
	});

	it('disregards ends before the time at which the edit was seen unfinished', () => {
		const workTimes = afterEnds(...times(100, 60_000), ...times(100, 80_000));
		// 100 ends at 80 s and the guess: 30 ** 2 / (2 * 90) s.
		expect(workTimes.sinceEndMs(60_000, 90_000, [])).toBeCloseTo((10_000 + 5_000) / 2);
	});

	it('is shorter while many edits run longer than this one did', () => {
		const workTimes = afterEnds(...times(100, 60_000));
		const runningMs = [10_000, ...times(200, 70_000)];
		expect(workTimes.sinceEndMs(10_000, 80_000, [])).toBeCloseTo((20_000 + 30_625) / 2);
		expect(workTimes.sinceEndMs(10_000, 80_000, runningMs)).toBeCloseTo((20_000 + 30_625) / 4);
	});
});

describe('the likely work time of an edit that ended between two polls', () => {
	it('is halfway between them while nothing is known', () => {
		expect(afterEnds().likelyMs(20_000, 60_000)).toBe(40_000);
	});

	it('follows those of the edits that ended between the same', () => {
		const workTimes = afterEnds(10_000, 50_000, 60_000, 70_000);
		expect(workTimes.likelyMs(20_000, 60_000)).toBe((50_000 + 60_000 + 40_000) / 3);
	});
});
