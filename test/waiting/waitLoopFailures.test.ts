import type { RequestFailure } from '../../api/failure';
import { DEFAULT_POLL_RULES } from '../../waiting/schedule';
import { WaitLoop } from '../../waiting/waitForEdits';
import type { Timeline } from '../../testkit/service/fake/timeline';
import {
	type Call,
	busiestMinute,
	pollFailure,
	simulatedWait,
} from '../../testkit/service/fake/simulatedService';

const RUNNING: Timeline = [[0, 'EDITING']];

describe('after failed status calls', () => {
	it('the next one waits for half of 1, 2, 4 … s on average, and at least for the interval', async () => {
		const { service, rateLimit, wait } = simulatedWait({ a: RUNNING });
		service.fault = ({ number }) => (number <= 6 ? pollFailure('status', 503) : undefined);
		await wait({ firstPollDelayMs: 0, pollIntervalMs: 5_000, maxWaitMs: 75_000 });
		// The fifth consecutive failure, received at 20.1 s, calls for 8 s, the sixth for 16 s.
		expect(service.callsFor('a').slice(0, 8)).toEqual([0, 5, 10, 15, 20, 28.1, 44.2, 49.2]);
		expect(rateLimit.callsPerMinuteAt(75_000)).toBe(300);
	});

	it('the first one after a success waits for 1 s at most', async () => {
		const { service, wait } = simulatedWait({ a: RUNNING });
		service.fault = ({ number }) =>
			number <= 6 || number === 8 ? pollFailure('status', 503) : undefined;
		await wait({ firstPollDelayMs: 0, pollIntervalMs: 5_000, maxWaitMs: 75_000 });
		expect(service.callsFor('a').slice(6, 9)).toEqual([44.2, 49.2, 54.2]);
	});

	it('only those of the same edit wait', async () => {
		const { service, wait } = simulatedWait({ a: RUNNING, b: RUNNING });
		service.fault = ({ number }) =>
			number === 1 ? { ...pollFailure('status', 503), retryAfterMs: 20_000 } : undefined;
		await wait({ firstPollDelayMs: 0, maxWaitMs: 25_000 });
		expect(service.callsFor('a')).toEqual([0, 20.1]);
		expect(service.callsFor('b')).toEqual([0, 10, 20, 25]);
	});
});

describe('after failed status calls of one key', () => {
	/** When another execution with the same key polls in ten minutes, while the calls of one fail. */
	const pollsBeside = async (
		fault: (call: Call) => RequestFailure | undefined = () => undefined,
	) => {
		const { time, service, tools } = simulatedWait({ bad: RUNNING, other: RUNNING });
		service.fault = (call) => (call.editId === 'bad' ? fault(call) : undefined);
		const rules = { ...DEFAULT_POLL_RULES, maxWaitMs: 600_000 };
		const loops = ['bad', 'other'].map((editId) => new WaitLoop([{ editId }], rules, tools));
		await time.run(Promise.all(loops.map(async (loop) => await loop.run())));
		return service.callsFor('other');
	};

	it.each<[string, RequestFailure]>([
		['a 500 of one edit', pollFailure('status', 500)],
		['a broken connection of one edit', pollFailure('broken')],
	])('%s does not slow the edits of another execution with the same key', async (_title, fault) => {
		const alone = await pollsBeside();
		expect(alone).toHaveLength(58);
		expect(await pollsBeside(() => fault)).toEqual(alone);
	});

	it('a 429 of one execution slows the other, since the limit is that of the key', async () => {
		const refusal = { ...pollFailure('status', 429), retryAfterMs: 50_000 };
		const polls = await pollsBeside(({ number }) => (number === 1 ? refusal : undefined));
		expect(polls[1]).toBeGreaterThanOrEqual(80);
	});

	it.each([8, 60])(
		'a burst of %d polls refused together is followed by one at most 11 s after the first refusal',
		async (count) => {
			const timelines = Object.fromEntries(
				Array.from({ length: count }, (_, n): [string, Timeline] => [`e${n}`, RUNNING]),
			);
			const { service, wait } = simulatedWait(timelines);
			service.fault = ({ number }) => (number <= count ? pollFailure('status', 429) : undefined);
			await wait({ maxWaitMs: 300_000 });
			const times = service.calls.map(({ atMs }) => atMs);
			const refusedAtMs = times[0] + 100;
			const after = times.filter((atMs) => atMs > refusedAtMs);
			// Polls that were refused together begin before any refusal is known, eight at a time.
			const next = after.find((atMs) => atMs > refusedAtMs + 100)!;
			expect(next - refusedAtMs).toBeLessThanOrEqual(11_000);
			expect(
				busiestMinute(after.filter((atMs) => atMs < refusedAtMs + 60_000)),
			).toBeLessThanOrEqual(46);
		},
	);

	it('429 lowers the rate of the key, other failures do not', async () => {
		const { service, rateLimit, wait } = simulatedWait({ a: RUNNING });
		service.fault = ({ number }) => (number === 1 ? pollFailure('status', 429) : undefined);
		await wait({ firstPollDelayMs: 0, maxWaitMs: 6_000 });
		expect(rateLimit.callsPerMinuteAt(6_000)).toBe(30);
	});
});
