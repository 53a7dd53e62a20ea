import fc from 'fast-check';

import { RateLimit } from '../../waiting/rateLimit';
import { DEFAULT_POLL_RULES, MIN_POLL_INTERVAL_MS } from '../../waiting/schedule';
import type { Timeline } from '../../testkit/service/fake/timeline';
import { busiestMinute, simulatedWait } from '../../testkit/service/fake/simulatedService';

const MINUTE_MS = 60_000;

describe('a rateLimit', () => {
	const limits = fc.record({
		callsPerMinute: fc.integer({ min: 1, max: 60 }),
		burst: fc.integer({ min: 1, max: 60 }),
	});
	const steps = fc.array(
		fc.oneof(
			fc.record({ waitMs: fc.integer({ min: 0, max: 30_000 }) }),
			fc.record({ refusedForMs: fc.integer({ min: 0, max: 60_000 }) }),
			fc.constant({ ask: true }),
		),
		{ maxLength: 150 },
	);

	it('never lets more requests begin in any minute than allowed, whatever is requested', () => {
		fc.assert(
			fc.property(limits, steps, (given, sequence) => {
				const rateLimit = new RateLimit(given);
				const begunAtMs: number[] = [];
				let nowMs = 1_000_000;
				for (const step of sequence) {
					if ('waitMs' in step) nowMs += step.waitMs;
					else if ('refusedForMs' in step) rateLimit.refused(nowMs, nowMs + step.refusedForMs);
					else {
						nowMs = rateLimit.nextFreeAtMs(nowMs);
						rateLimit.begin(nowMs);
						begunAtMs.push(nowMs);
					}
				}
				expect(busiestMinute(begunAtMs)).toBeLessThanOrEqual(given.callsPerMinute);
				expect(rateLimit.callsPerMinuteAt(nowMs)).toBeGreaterThanOrEqual(1);
				expect(rateLimit.callsPerMinuteAt(nowMs)).toBeLessThanOrEqual(given.callsPerMinute);
			}),
		);
	});

	it('is free at once on a clock with fractions of a millisecond', () => {
		const rateLimit = new RateLimit({ callsPerMinute: 2, burst: 1 });
		expect(rateLimit.nextFreeAtMs(1_000.25)).toBe(1_000.25);
		rateLimit.begin(1_000.25);
		expect(rateLimit.nextFreeAtMs(31_000.25)).toBe(31_000.25);
	});

	it('returns to its full size some time after a 429', () => {
		fc.assert(
			fc.property(limits, fc.integer({ min: 0, max: 60_000 }), (given, refusedForMs) => {
				const rateLimit = new RateLimit(given);
				rateLimit.begin(0);
				rateLimit.refused(0, refusedForMs);
				expect(rateLimit.callsPerMinuteAt(refusedForMs + 11 * MINUTE_MS)).toBe(
					given.callsPerMinute,
				);
			}),
		);
	});
});

describe('a wait', () => {
	const life = fc.record({
		startSeconds: fc.integer({ min: 0, max: 400 }),
		workSeconds: fc.integer({ min: 1, max: 400 }),
		ending: fc.constantFrom('SUCCESS', 'FAILURE'),
		oddStatus: fc.constantFrom('EDITING', 'RETRY', 'SOMETHING_NEW', 'EXPORT'),
	});
	const setting = fc.record({
		lives: fc.array(life, { minLength: 1, maxLength: 40 }),
		callsPerMinute: fc.integer({ min: 5, max: 300 }),
		latencyMs: fc.integer({ min: 1, max: 8_000 }),
		everyNthFails: fc.integer({ min: 2, max: 20 }),
		kind: fc.constantFrom('broken', 'timeout', 'unreachable'),
	});

	it('finds every end and breaks no limit, however slow and faulty the service is', async () => {
		await fc.assert(
			fc.asyncProperty(
				setting,
				async ({ lives, callsPerMinute, latencyMs, everyNthFails, kind }) => {
					const timelines = Object.fromEntries(
						lives.map(
							({ startSeconds, workSeconds, ending, oddStatus }, index): [string, Timeline] => [
								`edit-${index}`,
								[
									[startSeconds, oddStatus],
									[startSeconds + workSeconds, ending],
								],
							],
						),
					);
					const rateLimit = new RateLimit({ callsPerMinute, burst: 10 });
					const { service, wait } = simulatedWait(timelines, { rateLimit }, { latencyMs });
					service.fault = ({ number }) =>
						number % everyNthFails === 0 ? { kind, request: 'GET' } : undefined;
					const reports = await wait({ maxWaitMs: 24 * 3_600_000 });
					expect(reports.map(({ end }) => end)).toEqual(
						lives.map(({ ending }) => (ending === 'SUCCESS' ? 'succeeded' : 'failed')),
					);
					expect(service.busiestMinute()).toBeLessThanOrEqual(callsPerMinute);
					for (const id of Object.keys(timelines)) {
						const calls = service.callsFor(id).map((seconds) => seconds * 1_000);
						expect(calls[0]).toBeGreaterThanOrEqual(DEFAULT_POLL_RULES.firstPollDelayMs);
						const gaps = calls.slice(1).map((at, index) => at - calls[index]);
						expect(Math.min(Infinity, ...gaps)).toBeGreaterThanOrEqual(
							MIN_POLL_INTERVAL_MS - 0.001,
						);
					}
				},
			),
			{ numRuns: 60 },
		);
	});
});
