import {
	DEFAULT_POLL_RULES,
	firstPollAtMs,
	nextPollAtMs,
	pollIntervalMs,
} from '../../waiting/schedule';

it('has the rhythm that the API advises', () => {
	expect(DEFAULT_POLL_RULES).toEqual({
		firstPollDelayMs: 30_000,
		pollIntervalMs: 10_000,
		maxWaitMs: 1_800_000,
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
