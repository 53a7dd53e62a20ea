import { RateLimit } from '../../waiting/rateLimit';
import { DEFAULT_POLL_RULES } from '../../waiting/schedule';
import { type WaitTools, WaitLoop } from '../../waiting/waitForEdits';
import type { Timeline } from '../../testkit/service/fake/timeline';
import { endedBy, simulatedWait } from '../../testkit/service/fake/simulatedService';

const RUNNING: Timeline = [[0, 'EDITING']];

/** How long the simulated service takes to answer. */
const LATENCY_MS = 100;

const many = (count: number, timeline: Timeline) =>
	Object.fromEntries(Array.from({ length: count }, (_, n) => [`e${n}`, timeline]));

describe('status calls', () => {
	it('run at most eight at once', async () => {
		const { service, wait } = simulatedWait(many(20, [[0, 'SUCCESS']]), {}, { latencyMs: 5_000 });
		await wait();
		const secondsOf = service.calls.map(({ atMs }) => atMs / 1_000);
		expect(secondsOf).toEqual([
			...Array<number>(8).fill(30),
			...Array<number>(8).fill(35),
			...Array<number>(4).fill(40),
		]);
	});

	it.each([
		[300, 100, 48.1, 300],
		[300, 20_000, 68, 300],
		[1_000, 100, 61.1, 360],
	])(
		'ask once about each of %i edits with Maximum Wait 0, for a minute at most, at %i ms an answer',
		async (count, latencyMs, seconds, asked) => {
			const { service, time, wait } = simulatedWait(many(count, RUNNING), {}, { latencyMs });
			const reports = await wait({ maxWaitMs: 0 });
			expect(reports.filter(({ polls }) => polls === 1)).toHaveLength(asked);
			expect(service.busiestMinute()).toBeLessThanOrEqual(300);
			expect(time.now() / 1_000).toBeLessThanOrEqual(seconds);
		},
	);

	it('do not keep edits that were seen beyond their time, however slow the answers are', async () => {
		const { time, wait } = simulatedWait(many(300, RUNNING), {}, { latencyMs: 20_000 });
		await wait({ maxWaitMs: 600_000 });
		expect(time.now()).toBeLessThanOrEqual(680_000);
	});
});

describe('status calls by the clock', () => {
	it('begin when the rate limit allows, not before', async () => {
		const rateLimit = new RateLimit({ callsPerMinute: 60, burst: 1 });
		const { service, wait } = simulatedWait(many(3, [[0, 'SUCCESS']]), { rateLimit });
		await wait();
		expect(service.calls.map(({ atMs }) => atMs)).toEqual([30_000, 31_000, 32_000]);
	});

	it('happen at the deadline if the first would come later', async () => {
		const { service, wait } = simulatedWait({ a: RUNNING });
		const [report] = await wait({ maxWaitMs: 12_000 });
		expect(service.callsFor('a')).toEqual([12]);
		expect(report).toMatchObject({ end: 'stillRunning', polls: 1, waitedSeconds: 12.1 });
	});

	it('that are due at the deadline are made even if the timer is late', async () => {
		const { time, wait } = simulatedWait({ a: RUNNING, b: RUNNING });
		const sleep = time.sleep.bind(time);
		jest
			.spyOn(time, 'sleep')
			.mockImplementation(async (ms, signal) => await sleep(ms + 700, signal));
		const reports = await wait({ maxWaitMs: 30_000 });
		expect(reports.map(({ polls }) => polls)).toEqual([1, 1]);
	});

	it('continue for other edits while one has no response', async () => {
		const { time, service, wait } = simulatedWait({ a: RUNNING, b: RUNNING });
		const answer = service.getEditOnce;
		jest.spyOn(service, 'getEditOnce').mockImplementation(async (editId) => {
			if (editId === 'a') await time.sleep(50_000);
			return await answer(editId);
		});
		await wait({ maxWaitMs: 60_000 });
		expect(service.callsFor('b')).toEqual([30, 40, 50, 60]);
		expect(service.callsFor('a')[0]).toBe(80);
	});
});

describe('the reports during a wait', () => {
	it('include each change of a status, once', async () => {
		const seen: unknown[] = [];
		const onStatus: WaitTools['onStatus'] = ({ editId }, change) => seen.push([editId, change]);
		const life: Timeline = [
			[0, 'PENDING'],
			[35, 'EDITING'],
			[55, 'SUCCESS'],
		];
		await simulatedWait({ a: life }, { onStatus }).wait();
		expect(seen).toEqual([
			['a', { status: 'PENDING', atSeconds: 30.1 }],
			['a', { status: 'EDITING', atSeconds: 40.1 }],
			['a', { status: 'SUCCESS', atSeconds: 60.1 }],
		]);
	});

	it('include an edit that stays PENDING, once, with how long', async () => {
		const seen: unknown[] = [];
		const onEndlessPending: WaitTools['onEndlessPending'] = ({ editId }, seconds) =>
			seen.push([editId, seconds]);
		const { wait } = simulatedWait({ a: [[0, 'PENDING']] }, { onEndlessPending });
		await wait({ pendingNoticeMs: 60_000, maxWaitMs: 120_000 });
		expect(seen).toEqual([['a', 60.1]]);
	});
});

describe('a wait without listeners', () => {
	it('continues with an edit that stays PENDING', async () => {
		const { wait } = simulatedWait({ a: [[0, 'PENDING']] });
		const [report] = await wait({ pendingNoticeMs: 60_000, maxWaitMs: 120_000 });
		expect(report.end).toBe('stillRunning');
	});

	it('leaves no timer', async () => {
		const { time, wait } = simulatedWait({ a: [[0, 'SUCCESS']], b: [[50, 'SUCCESS']] });
		const sleep = jest.spyOn(time, 'sleep');
		await wait();
		// The service sleeps, too, while it answers.
		const signals = sleep.mock.calls.flatMap(([ms, signal]) => (ms === LATENCY_MS ? [] : [signal]));
		expect(signals.length).toBeGreaterThan(0);
		expect(signals.every((signal) => signal?.aborted)).toBe(true);
	});

	it('leaves nothing on the signal of the execution', async () => {
		const { signal } = new AbortController();
		const { wait } = simulatedWait({ a: [[100, 'SUCCESS']], b: [[50, 'SUCCESS']] }, { signal });
		const added = jest.spyOn(signal, 'addEventListener');
		const removed = jest.spyOn(signal, 'removeEventListener');
		await wait();
		expect(added).toHaveBeenCalled();
		expect(removed.mock.calls).toEqual(added.mock.calls);
	});
});

describe('a wait that is cut short', () => {
	it('abandons the unfinished edits and waits for the calls under way', async () => {
		const stop = new AbortController();
		const { time, wait } = simulatedWait(
			{ a: [[0, 'SUCCESS']], b: RUNNING },
			{ signal: stop.signal },
			{ latencyMs: 3_000 },
		);
		void time.sleep(41_000).then(() => stop.abort());
		const reports = await wait();
		expect(reports).toMatchObject([
			{ end: 'succeeded', polls: 1 },
			{ end: 'abandoned', polls: 2, edit: { status: 'EDITING' } },
		]);
		expect(time.now()).toBe(43_000);
	});

	it('by a finished edit reports the other edits as they were last seen', async () => {
		const { wait } = simulatedWait({ a: [[35, 'FAILURE']], b: RUNNING }, endedBy('failed'));
		const reports = await wait();
		expect(reports.map(({ end, waitedSeconds }) => [end, waitedSeconds])).toEqual([
			['failed', 40.1],
			['abandoned', 40.1],
		]);
	});
});

const added = (timelines: Record<string, Timeline>, more: Partial<WaitTools> = {}, rules = {}) => {
	const { time, service, tools } = simulatedWait(timelines, more);
	const loop = new WaitLoop([], { ...DEFAULT_POLL_RULES, ...rules }, tools);
	/** Adds each edit at its second, and returns when each report came, in seconds. */
	const run = async (atSeconds: Record<string, number>) =>
		await time.run(
			Promise.all(
				Object.entries(atSeconds).map(async ([editId, seconds]) => {
					await time.sleep(seconds * 1_000);
					const report = await loop.add({ editId, submittedAtMs: time.now() });
					return { editId, end: report.end, atSeconds: time.now() / 1_000, report };
				}),
			),
		);
	return { run, service, time };
};

describe('an edit that is added while the loop runs', () => {
	it('is reported when it ends, not when other edits end', async () => {
		const { run } = added({
			a: [
				[0, 'EDITING'],
				[600, 'SUCCESS'],
			],
			b: [[0, 'SUCCESS']],
		});
		const reports = await run({ a: 0, b: 5 });
		expect(reports).toMatchObject([
			{ editId: 'a', end: 'succeeded', atSeconds: 600.1 },
			{ editId: 'b', end: 'succeeded', atSeconds: 35.1 },
		]);
	});

	it('is waited for again after the loop had nothing to do', async () => {
		const { run } = added({ a: [[0, 'SUCCESS']], b: [[0, 'SUCCESS']] });
		expect(await run({ a: 0, b: 500 })).toMatchObject([{ atSeconds: 30.1 }, { atSeconds: 530.1 }]);
	});

	it('has its own time, from when it was added', async () => {
		const { run, service } = added({ a: RUNNING, b: RUNNING }, {}, { maxWaitMs: 60_000 });
		const reports = await run({ a: 0, b: 45 });
		expect(reports.map(({ end, atSeconds }) => [end, atSeconds])).toEqual([
			['stillRunning', 60.1],
			['stillRunning', 105.1],
		]);
		expect(service.callsFor('a')).toEqual([30, 40, 50, 60]);
		expect(reports[1].report.waitedSeconds).toBe(60.1);
	});
});

describe('an edit that is added before the loop ends', () => {
	it('is given up with the other edits on Stop, also when it is added after it', async () => {
		const stop = new AbortController();
		const { run, time } = added({ a: RUNNING, b: RUNNING, c: RUNNING }, { signal: stop.signal });
		void time.sleep(42_000).then(() => stop.abort());
		expect(await run({ a: 0, b: 41, c: 50 })).toMatchObject([
			{ end: 'abandoned', atSeconds: 42 },
			{ end: 'abandoned', atSeconds: 42 },
			{ end: 'abandoned', atSeconds: 50 },
		]);
	});

	it('fails with what breaks the loop', async () => {
		const onPoll = () => {
			throw new Error('a bug');
		};
		const { run } = added({ a: RUNNING }, { onPoll });
		await expect(run({ a: 0 })).rejects.toThrow('a bug');
	});
});
