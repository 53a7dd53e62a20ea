import type { IExecuteFunctions } from 'n8n-workflow';

import { NodeRun } from '../../nodes/shared/run/nodeRun';
import { Progress, say, sayGoingOn } from '../../nodes/shared/run/progress';
import { systemTime } from '../support/leapingTime';
import { serviceContext } from '../support/serviceContext';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

function setUp(total: number, more: Partial<IExecuteFunctions> = {}) {
	const noted = serviceContext({}, more);
	const run = new NodeRun(noted.context);
	return { ...noted, run, batch: new Progress(run, ['submitted', 'edits'], total) };
}

const WHO = 'Audio editing: A Node (execution 7): ';

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
