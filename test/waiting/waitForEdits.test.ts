import { RateLimit } from '../../waiting/rateLimit';
import type { Timeline } from '../../testkit/service/fake/timeline';
import { pollFailure, simulatedWait } from '../../testkit/service/fake/simulatedService';

const HALF_MINUTE_LATE: Timeline = [
	[0, 'PENDING'],
	[5, 'PREPROCESSING'],
	[45, 'EDITING'],
	[65, 'SUCCESS'],
];

describe('one edit', () => {
	it('is polled 30 s after the start and then every 10 s', async () => {
		const { service, wait } = simulatedWait({ a: HALF_MINUTE_LATE });
		const [report] = await wait();
		expect(service.callsFor('a')).toEqual([30, 40, 50, 60, 70]);
		expect(report).toMatchObject({ editId: 'a', end: 'succeeded', polls: 5, waitedSeconds: 70.1 });
		expect(report.history).toEqual([
			{ status: 'PREPROCESSING', atSeconds: 30.1 },
			{ status: 'EDITING', atSeconds: 50.1 },
			{ status: 'SUCCESS', atSeconds: 70.1 },
		]);
	});

	it('counts the first 30 s from its submission if that is known', async () => {
		const { time, service, wait } = simulatedWait({ a: [[0, 'SUCCESS']] });
		await time.run(time.sleep(20_000));
		await wait({}, [{ editId: 'a', submittedAtMs: 0 }]);
		expect(service.callsFor('a')).toEqual([30]);
	});

	it('is polled a last time at the deadline and then reported as running', async () => {
		const { service, wait } = simulatedWait({ a: [[0, 'EDITING']] });
		const [report] = await wait({ maxWaitMs: 57_000 });
		expect(service.callsFor('a')).toEqual([30, 40, 50, 57]);
		expect(report).toMatchObject({ end: 'stillRunning', edit: { status: 'EDITING' } });
	});
});

describe('many edits', () => {
	it('share one loop: 100 edits of 6 minutes take a little more than 6 minutes', async () => {
		const timelines = Object.fromEntries(
			Array.from({ length: 100 }, (_, n) => [`edit-${n}`, [[360, 'SUCCESS']] as Timeline]),
		);
		const { time, service, wait } = simulatedWait(timelines);
		const reports = await wait();
		expect(reports.every(({ end }) => end === 'succeeded')).toBe(true);
		expect(time.now() / 1_000).toBeLessThan(385);
		expect(service.busiestMinute()).toBeLessThanOrEqual(300);
	});

	it('cause no wait if there are none', async () => {
		const { time, wait } = simulatedWait({});
		expect(await wait()).toEqual([]);
		expect(time.now()).toBe(0);
	});

	it.each([
		[110, 300, 240],
		[300, 75, 1_500],
	])(
		'are all found after %d that never start, at %d polls a minute',
		async (dead, callsPerMinute, withinSeconds) => {
			const ids = (name: string, count: number) =>
				Array.from({ length: count }, (_id, n) => name + n);
			const timelines: Record<string, Timeline> = {};
			for (const id of ids('dead', dead)) timelines[id] = [[0, 'PENDING']];
			for (const id of ids('good', 100)) timelines[id] = HALF_MINUTE_LATE;
			const rateLimit = new RateLimit({ callsPerMinute, burst: 15 });
			const reports = await simulatedWait(timelines, { rateLimit }).wait();
			const found = reports.filter(({ end }) => end === 'succeeded');
			expect(found).toHaveLength(100);
			for (const { history } of found)
				expect(history.at(-1)?.atSeconds).toBeLessThan(withinSeconds);
		},
	);
});

describe('trouble', () => {
	it('with a 429 for every third answer leaves nine of ten edits found', async () => {
		const ids = Array.from({ length: 300 }, (_, n) => `edit-${n}`);
		const life: Timeline = [
			[0, 'EDITING'],
			[300, 'SUCCESS'],
		];
		const { service, wait } = simulatedWait(Object.fromEntries(ids.map((id) => [id, life])));
		service.fault = ({ number }) => (number % 3 === 0 ? pollFailure('status', 429) : undefined);
		const reports = await wait();
		expect(reports.filter(({ end }) => end === 'succeeded').length).toBeGreaterThanOrEqual(270);
	});
});
