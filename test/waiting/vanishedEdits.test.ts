import type { RequestFailure } from '../../api/failure';
import { RequestBudget } from '../../waiting/budget';
import { DEFAULT_POLL_RULES } from '../../waiting/schedule';
import { type WaitTools, waitForEdits } from '../../waiting/waitForEdits';
import { SimulatedService, type Timeline } from '../support/simulatedService';
import { VirtualTime } from '../support/virtualTime';

function setUp(timelines: Record<string, Timeline>, more: Partial<WaitTools> = {}) {
	const time = new VirtualTime();
	const service = new SimulatedService(time, timelines);
	const budget = new RequestBudget({ callsPerMinute: 300, burst: 60 });
	const wait = async (rules = {}) =>
		await time.run(
			waitForEdits(
				Object.keys(timelines).map((editId) => ({ editId })),
				{ ...DEFAULT_POLL_RULES, ...rules },
				{ time, budget, getEdit: service.getEdit, ...more },
			),
		);
	return { service, wait };
}

const DELETED_AT_60: Timeline = [
	[0, 'EDITING'],
	[60, 'PENDING'],
];

describe('an edit that is PENDING again after its processing had begun', () => {
	it('ends after two minutes and six polls', async () => {
		const { service, wait } = setUp({ a: DELETED_AT_60 });
		const [report] = await wait();
		expect(report).toMatchObject({ end: 'vanished', waitedSeconds: 180.1, polls: 16 });
		expect(report.history).toEqual([
			{ status: 'EDITING', atSeconds: 30.1 },
			{ status: 'PENDING', atSeconds: 60.1 },
		]);
		expect(service.callsFor('a').at(-1)).toBe(180);
	});

	it('ends at the sixth poll if that comes later', async () => {
		const { service, wait } = setUp({ a: DELETED_AT_60 });
		const [report] = await wait({ pollIntervalMs: 60_000 });
		expect(service.callsFor('a')).toEqual([30, 90, 150, 210, 270, 330, 390]);
		expect(report.end).toBe('vanished');
	});

	it('ends alone while other edits continue', async () => {
		const { wait } = setUp({ a: DELETED_AT_60, b: [[600, 'SUCCESS']] });
		expect(await wait()).toMatchObject([{ end: 'vanished' }, { end: 'succeeded' }]);
	});

	it.each(['STARTED', 'PREPROCESSING', 'CLASSIFICATION', 'POSTPROCESSING', 'EXPORT'])(
		'ends after %s, too',
		async (status) => {
			const { wait } = setUp({
				a: [
					[0, status],
					[60, 'PENDING'],
				],
			});
			expect((await wait())[0].end).toBe('vanished');
		},
	);

	it('ends after a SUCCESS without its result', async () => {
		const { wait, service } = setUp(
			{
				a: [
					[0, 'SUCCESS'],
					[45, 'PENDING'],
				],
			},
			{
				getEdit: async (editId) => {
					const outcome = await service.getEdit(editId);
					if (outcome.ok) delete outcome.value.result;
					return outcome;
				},
			},
		);
		expect((await wait())[0].end).toBe('vanished');
	});

	it('is still waited for if its processing resumes within that time', async () => {
		const { wait } = setUp({
			a: [
				[0, 'EDITING'],
				[60, 'PENDING'],
				[175, 'PREPROCESSING'],
				[215, 'PENDING'],
				[330, 'EDITING'],
				[400, 'SUCCESS'],
			],
		});
		expect((await wait())[0].end).toBe('succeeded');
	});

	it('does not count failed calls', async () => {
		const broken: RequestFailure = { kind: 'broken', request: 'GET /v2/edits/a' };
		const { service, wait } = setUp({ a: DELETED_AT_60 });
		// Six consecutive PENDING responses, whatever failed in between.
		service.fault = ({ atMs }) => (atMs > 65_000 && atMs < 300_000 ? broken : undefined);
		const [report] = await wait();
		expect(report.end).toBe('vanished');
		expect(service.callsFor('a').filter((at) => at >= 300)).toHaveLength(5);
	});
});

describe('PENDING that does not count against the edit', () => {
	it.each<[string, Timeline]>([
		[
			'after RETRY: a queue retries it later',
			[
				[0, 'EDITING'],
				[50, 'RETRY'],
				[60, 'PENDING'],
				[900, 'EDITING'],
				[1000, 'SUCCESS'],
			],
		],
		[
			'after a status that the spec does not name',
			[
				[0, 'QUEUED_FOR_GPU'],
				[60, 'PENDING'],
				[900, 'SUCCESS'],
			],
		],
		[
			'from the beginning: a long queue',
			[
				[0, 'PENDING'],
				[1500, 'SUCCESS'],
			],
		],
	])('%s', async (_title, timeline) => {
		const { wait } = setUp({ a: timeline });
		expect((await wait())[0].end).toBe('succeeded');
	});
});
