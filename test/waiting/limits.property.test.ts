import fc from 'fast-check';

import { RequestBudget } from '../../waiting/budget';
import { DEFAULT_POLL_RULES, POLL_INTERVAL_FLOOR_MS } from '../../waiting/schedule';
import { waitForEdits } from '../../waiting/waitForEdits';
import { SimulatedService, type Timeline } from '../support/simulatedService';
import { VirtualTime } from '../support/virtualTime';

const MINUTE_MS = 60_000;

/** Returns the most of the sorted times within any minute. */
function busiestMinute(timesMs: readonly number[]): number {
	return Math.max(
		0,
		...timesMs.map((from) => timesMs.filter((at) => at >= from && at < from + MINUTE_MS).length),
	);
}

describe('a rate limit', () => {
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
				const budget = new RequestBudget(given);
				const begunAtMs: number[] = [];
				let nowMs = 1_000_000;
				for (const step of sequence) {
					if ('waitMs' in step) nowMs += step.waitMs;
					else if ('refusedForMs' in step) budget.refused(nowMs, nowMs + step.refusedForMs);
					else {
						nowMs = budget.nextFreeAtMs(nowMs);
						budget.take(nowMs);
						begunAtMs.push(nowMs);
					}
				}
				expect(busiestMinute(begunAtMs)).toBeLessThanOrEqual(given.callsPerMinute);
				expect(budget.callsPerMinuteAt(nowMs)).toBeGreaterThanOrEqual(1);
				expect(budget.callsPerMinuteAt(nowMs)).toBeLessThanOrEqual(given.callsPerMinute);
			}),
		);
	});

	it('is free at once on a clock with fractions of a millisecond', () => {
		const budget = new RequestBudget({ callsPerMinute: 2, burst: 1 });
		expect(budget.nextFreeAtMs(1_000.25)).toBe(1_000.25);
		budget.take(1_000.25);
		expect(budget.nextFreeAtMs(31_000.25)).toBe(31_000.25);
	});

	it('returns to its full size some time after a 429', () => {
		fc.assert(
			fc.property(limits, fc.integer({ min: 0, max: 60_000 }), (given, refusedForMs) => {
				const budget = new RequestBudget(given);
				budget.take(0);
				budget.refused(0, refusedForMs);
				expect(budget.callsPerMinuteAt(refusedForMs + 11 * MINUTE_MS)).toBe(given.callsPerMinute);
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
					const time = new VirtualTime(0, () => 0.7);
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
					const service = new SimulatedService(time, timelines, { latencyMs });
					service.fault = ({ number }) =>
						number % everyNthFails === 0 ? { kind, request: 'GET' } : undefined;
					const ids = Object.keys(timelines);
					const reports = await time.run(
						waitForEdits(
							ids.map((editId) => ({ editId })),
							{ ...DEFAULT_POLL_RULES, maximumWaitMs: 24 * 3_600_000 },
							{
								time,
								getEdit: service.getEdit,
								budget: new RequestBudget({ callsPerMinute, burst: 10 }),
							},
						),
					);
					expect(reports.map(({ end }) => end)).toEqual(
						lives.map(({ ending }) => (ending === 'SUCCESS' ? 'succeeded' : 'failed')),
					);
					expect(service.busiestMinute()).toBeLessThanOrEqual(callsPerMinute);
					for (const id of ids) {
						const calls = service.callsFor(id).map((seconds) => seconds * 1_000);
						expect(calls[0]).toBeGreaterThanOrEqual(DEFAULT_POLL_RULES.firstPollDelayMs);
						const gaps = calls.slice(1).map((at, index) => at - calls[index]);
						expect(Math.min(Infinity, ...gaps)).toBeGreaterThanOrEqual(
							POLL_INTERVAL_FLOOR_MS - 0.001,
						);
					}
				},
			),
			{ numRuns: 60 },
		);
	});
});
