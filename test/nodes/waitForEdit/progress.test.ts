import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { waitWork } from '../../../nodes/WaitForEdit/waitItems';
import { NodeRun } from '../../../nodes/shared/run/nodeRun';
import { Progress, say, sayGoingOn } from '../../../nodes/shared/run/progress';
import { runNode } from '../../../nodes/shared/run/runNode';
import { systemTime } from '../../support/leapingTime';
import { withFields } from '../../support/nodeContext';
import type { Answer } from '../../support/scriptedService';
import { serviceContext } from '../../support/serviceContext';

jest.mock('../../../api/time', () => jest.requireActual('../../support/leapingTime'));

const WHO = 'Audio editing: A Node (execution 7): ';

const RESULT = { filename: 'a.mp3', download_url: 'https://files.example.com/a' };

type Poll = (editId: string, poll: number) => Answer;

const inStatus = (status: string): Answer => ({
	body: { task_id: 'x', status, ...(status === 'SUCCESS' && { result: RESULT }) },
});

/** Waits for the edits; `answer` responds to the first, second … poll of each. */
async function wait(editIds: string[], answer: Poll, more: Partial<IExecuteFunctions> = {}) {
	const items: INodeExecutionData[] = editIds.map((editId) => ({ json: { editId } }));
	const fields = { whileWaiting: 'keepRunning', maximumWaitMinutes: 30, simplify: true };
	const getNodeParameter = (name: string, itemIndex: number, fallback?: object) =>
		name === 'editId'
			? editIds[itemIndex]
			: withFields(fields).getNodeParameter(name, itemIndex, fallback as object);
	const polls = new Map<string, number>();
	const noted = serviceContext(
		{},
		{ getNodeParameter: getNodeParameter as IExecuteFunctions['getNodeParameter'], ...more },
		items,
		({ path }) => {
			const editId = path.split('/').at(-1) ?? '';
			polls.set(editId, (polls.get(editId) ?? 0) + 1);
			return answer(editId, polls.get(editId)!);
		},
	);
	await runNode(noted.context, waitWork).catch(() => undefined);
	return noted;
}

const many = (count: number) => Array.from({ length: count }, (_, index) => `e${index}`);

describe('while it waits, Wait For Edit logs', () => {
	it('each change of status of a few edits, and each half minute of waiting', async () => {
		const { infos } = await wait(['a', 'b'], (editId, poll) =>
			inStatus(poll > 20 ? 'SUCCESS' : editId === 'a' ? 'EDITING' : 'PENDING'),
		);
		expect(infos).toEqual([
			'Audio editing: edit a EDITING after 30 s',
			'Audio editing: edit b PENDING after 30 s',
			...[60, 90, 120, 150, 180, 210].map(
				(seconds) =>
					`${WHO}0 of 2 edits finished after ${seconds} s (2 at the service: EDITING 1, PENDING 1)`,
			),
			'Audio editing: edit b SUCCESS after 230 s',
			'Audio editing: edit a SUCCESS after 230 s',
			`${WHO}2 of 2 edits finished after 230 s`,
		]);
	});

	it('the counts of many edits each half minute and at the end; their changes are for debugging', async () => {
		const { infos, debugs } = await wait(many(11), (editId, poll) =>
			inStatus(editId === 'e0' || poll > 4 ? 'SUCCESS' : poll > 2 ? 'EDITING' : 'PENDING'),
		);
		expect(infos).toEqual([
			`${WHO}0 of 11 edits finished after 30 s (11 at the service: not polled yet 10)`,
			`${WHO}1 of 11 edits finished after 60 s (10 at the service: EDITING 10)`,
			`${WHO}11 of 11 edits finished after 70 s`,
		]);
		expect(debugs).toHaveLength(1 + 3 * 10);
	});

	it('how far the service is with each of a few edits, where it says so', async () => {
		const { infos } = await wait(['a'], (_editId, poll) =>
			poll > 8
				? inStatus('SUCCESS')
				: { body: { task_id: 'x', status: 'EDITING', result: { done: poll, total: 8 } } },
		);
		expect(infos).toEqual([
			'Audio editing: edit a EDITING after 30 s (1 of 8)',
			`${WHO}0 of 1 edits finished after 60 s (1 at the service: EDITING 1); edit a: 4 of 8`,
			`${WHO}0 of 1 edits finished after 90 s (1 at the service: EDITING 1); edit a: 7 of 8`,
			'Audio editing: edit a SUCCESS after 110 s',
		]);
	});

	it('the progress of each edit that runs, and of no more than ten', async () => {
		const at = (done: number): Answer => ({
			body: { task_id: 'x', status: 'EDITING', result: { done, total: 99 } },
		});
		const few = await wait(['a', 'b', 'c'], (editId, poll) =>
			poll > 7 || editId === 'c' ? inStatus('SUCCESS') : at(poll),
		);
		// The line follows the poll of 'b'; that of 'a' is still under way.
		expect(few.infos).toContain(
			`${WHO}1 of 3 edits finished after 90 s (2 at the service: EDITING 2); edit a: 6 of 99; edit b: 7 of 99`,
		);
		const ten = await wait(many(10), (_editId, poll) =>
			poll > 7 ? inStatus('SUCCESS') : at(poll),
		);
		expect(ten.infos.join()).toContain('; edit e9: 6 of 99');
		const eleven = await wait(many(11), (_editId, poll) =>
			poll > 7 ? inStatus('SUCCESS') : at(poll),
		);
		expect(eleven.infos.join()).not.toContain('of 99');
	});

	it('why an edit failed, where the service says so', async () => {
		const { infos } = await wait(['a'], () => ({
			body: { task_id: 'x', status: 'FAILURE', result: { message: 'no audio' } },
		}));
		expect(infos).toEqual(['Audio editing: edit a FAILURE after 30 s: no audio']);
	});

	it('that status calls fail, and why', async () => {
		const { infos } = await wait(['a'], (_editId, poll) =>
			poll < 9 ? { status: 503 } : inStatus('SUCCESS'),
		);
		expect(infos[0]).toMatch(
			/^Audio editing: A Node \(execution 7\): 0 of 1 edits finished after \d+ s \(1 at the service: PENDING 1\); failed status calls: 503$/,
		);
	});

	it('the same in the browser of a manual run', async () => {
		const shown: unknown[] = [];
		const sendMessageToUI = (message: unknown) => void shown.push(message);
		const { infos } = await wait(['a'], () => inStatus('SUCCESS'), { sendMessageToUI });
		expect(shown).toEqual(infos);
		expect(shown).toEqual(['Audio editing: edit a SUCCESS after 30 s']);
	});
});

it('names the edits that continue when Wait For Edit is stopped', async () => {
	const stop = new AbortController();
	const { warnings } = await wait(
		many(12),
		(editId, poll) => {
			if (editId === 'e11' && poll === 2) stop.abort();
			return inStatus(editId === 'e0' ? 'SUCCESS' : 'EDITING');
		},
		{ getExecutionCancelSignal: () => stop.signal },
	);
	const named = many(12)
		.slice(1)
		.map((id) => `${id} (EDITING)`)
		.join(', ');
	expect(warnings).toEqual([
		`Audio editing: A Node (execution 7) was stopped; these edits keep running at the service and are charged: ${named}`,
	]);
});

describe('what any node logs', () => {
	function setUp(total: number, more: Partial<IExecuteFunctions> = {}) {
		const noted = serviceContext({}, more);
		const run = new NodeRun(noted.context);
		return { ...noted, run, batch: new Progress(run, ['submitted', 'edits'], total) };
	}

	describe('a batch', () => {
		it('logs its progress and when it continues, at most every half minute', async () => {
			const { context, infos } = serviceContext({ plan: 'custom', submissionsPerMinute: 2 });
			const run = new NodeRun(context);
			const { client } = await run.openService();
			run.progress = new Progress(run, ['submitted', 'edits'], 6);
			for (let edit = 0; edit < 6; edit++) {
				await client.createEdit({ input: { files: ['https://f.example/a.wav'], config: {} } });
				run.progress.moved(edit, 'done');
			}
			expect(infos).toEqual([
				`${WHO}2 of 6 edits submitted after 0 s, the next in 61 s (rate limit of the API key)`,
				`${WHO}4 of 6 edits submitted after 61 s, the next in 61 s (rate limit of the API key)`,
				`${WHO}6 of 6 edits submitted after 122 s`,
			]);
		});

		it.each([
			[4_999, 0],
			[5_000, 1],
		])('logs its first pause from five seconds on: %d ms', (waitMs, lines) => {
			const { batch, infos } = setUp(60);
			batch.pause(waitMs);
			batch.pause(waitMs);
			expect(infos).toHaveLength(lines);
		});

		it('logs frequent short pauses every half minute', async () => {
			const { batch, infos } = setUp(60);
			for (let second = 0; second < 95; second += 1) {
				batch.pause(2_000);
				await systemTime.sleep(1_000);
			}
			expect(infos.map((line) => / after (\d+) s/.exec(line)?.[1])).toEqual(['30', '62', '94']);
		});

		it('logs slow items every half minute, too', async () => {
			const { batch, infos } = setUp(10);
			for (let item = 0; item < 4; item += 1) {
				await systemTime.sleep(20_000);
				batch.moved(item, 'done');
			}
			expect(infos).toEqual([
				`${WHO}2 of 10 edits submitted after 40 s`,
				`${WHO}4 of 10 edits submitted after 80 s`,
			]);
		});

		it('logs one line if it is done soon', () => {
			const { batch, infos } = setUp(2);
			batch.moved(0, 'done');
			batch.moved(1, 'done');
			expect(infos).toEqual([`${WHO}2 of 2 edits submitted after 0 s`]);
		});
	});

	it('shows the same in the browser if the host supports it', () => {
		const shown: unknown[] = [];
		const sendMessageToUI = (message: unknown) => void shown.push(message);
		const { run, batch, infos, warnings } = setUp(60, { sendMessageToUI });
		batch.pause(60_000);
		sayGoingOn(run, ['a', 'b']);
		expect(shown).toEqual([...infos, ...warnings]);
		expect(shown).toHaveLength(2);
	});

	it('writes one line for any name of an edit or a status', () => {
		const { run, infos, warnings } = setUp(1);
		say(run, 'edit a\nERROR forged \u001b[31m');
		sayGoingOn(run, ['a\r\nERROR forged']);
		for (const line of [...infos, ...warnings]) expect(line).not.toMatch(/\p{Cc}/u);
		expect(infos).toHaveLength(1);
	});

	describe('after Stop', () => {
		it('names the edits that continue, in lines that no log cuts', () => {
			const { run, warnings } = setUp(300);
			const ids = Array.from({ length: 250 }, (_, index) => `edit-${index}`);
			sayGoingOn(run, ids);
			expect(warnings).toHaveLength(3);
			expect(warnings[0]).toMatch(
				/^Audio editing: A Node \(execution 7\) was stopped; these edits keep running at the service and are charged: edit-0, edit-1,/,
			);
			const named = warnings.join(', ');
			for (const id of ids) expect(`${named},`).toContain(` ${id},`);
		});

		it('says how many edits may have been accepted', () => {
			const { run, warnings } = setUp(300);
			sayGoingOn(run, [], 1);
			expect(warnings).toEqual([
				'Audio editing: A Node (execution 7) was stopped while 1 edit(s) were being submitted, which the service may have accepted: look at your recent edits there',
			]);
		});

		it('says nothing if nothing continues', () => {
			const { run, warnings } = setUp(300);
			sayGoingOn(run, []);
			expect(warnings).toEqual([]);
		});
	});
});
