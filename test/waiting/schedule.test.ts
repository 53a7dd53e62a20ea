import {
	DEFAULT_POLL_RULES,
	firstPollAtMs,
	nextPollAtMs,
	pollIntervalMs,
	secondPollAfterMs,
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
	expect(firstPollAtMs(rules, 100_000, { submittedAtMs })).toBe(expectedMs);
});

it.each([
	['is when the service asked for it', undefined, 7_000, 107_000],
	['is 5 minutes after the submission at most', undefined, 900_000, 400_000],
	['is when a person said so, whatever the service asks for', true, 7_000, 130_000],
])('the first poll %s', (_title, isFirstPollSet, firstPollAfterMs, expectedMs) => {
	const rules = { ...DEFAULT_POLL_RULES, isFirstPollSet };
	expect(firstPollAtMs(rules, 100_000, { firstPollAfterMs })).toBe(expectedMs);
});

it.each([
	['at 10 s after one at 3 s', {}, 3_000, 10_000, 7_000],
	['5 s after one at 9 s', {}, 9_000, 10_000, 5_000],
	['an interval after one at 10 s', {}, 10_000, 10_000, 10_000],
	['an interval later if a person set the first', { isFirstPollSet: true }, 3_000, 10_000, 10_000],
	['an interval later if that is not the usual one', {}, 3_000, 20_000, 20_000],
])('the second poll comes %s', (_title, more, ageMs, intervalMs, expectedMs) => {
	const rules = { ...DEFAULT_POLL_RULES, ...more };
	expect(secondPollAfterMs(rules, ageMs, intervalMs)).toBe(expectedMs);
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
