import type { IExecuteFunctions } from 'n8n-workflow';

import { Batch, say, sayGoingOn, sayPause } from '../../nodes/shared/progress';
import { openService } from '../../nodes/shared/service';
import { systemTime } from '../support/leapingTime';
import { serviceContext } from '../support/serviceContext';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

function setUp(total: number, more: Partial<IExecuteFunctions> = {}) {
	const noted = serviceContext({}, more);
	return { ...noted, batch: new Batch(noted.context, 'submitted', 'edits', total) };
}

const WHO = 'Audio editing: A Node (execution 7): ';

describe('a batch', () => {
	it('says how far it is and when it goes on, at most every half minute', async () => {
		const { context, infos } = serviceContext({ plan: 'custom', submissionsPerMinute: 2 });
		const { client } = await openService(context);
		const batch = new Batch(context, 'submitted', 'edits', 6);
		for (let edit = 0; edit < 6; edit++) {
			await client.createEdit({ input: { files: ['https://f.example/a.wav'], config: {} } });
			batch.step();
		}
		expect(infos).toEqual([
			`${WHO}submitted 2 of 6 edits after 0 s, the next in 61 s (rate limit of the API key)`,
			`${WHO}submitted 4 of 6 edits after 61 s, the next in 61 s (rate limit of the API key)`,
			`${WHO}submitted 6 of 6 edits after 122 s`,
		]);
	});

	it.each([
		[4_999, 0],
		[5_000, 1],
	])('that pauses for the first time says so from five seconds on: %d ms', (waitMs, lines) => {
		const { context, infos } = setUp(60);
		sayPause(context, waitMs);
		sayPause(context, waitMs);
		expect(infos).toHaveLength(lines);
	});

	it('that pauses shortly and often says so every half minute', async () => {
		const { context, infos } = setUp(60);
		for (let second = 0; second < 95; second += 1) {
			sayPause(context, 2_000);
			await systemTime.sleep(1_000);
		}
		expect(infos.map((line) => / after (\d+) s/.exec(line)?.[1])).toEqual(['30', '62', '94']);
	});

	it('whose items take long says so every half minute, too', async () => {
		const { batch, infos } = setUp(10);
		for (let item = 0; item < 4; item += 1) {
			await systemTime.sleep(20_000);
			batch.step();
		}
		expect(infos).toEqual([
			`${WHO}submitted 2 of 10 edits after 40 s`,
			`${WHO}submitted 4 of 10 edits after 80 s`,
		]);
	});

	it('that is done soon says nothing', () => {
		const { batch, infos } = setUp(2);
		batch.step();
		batch.step();
		expect(infos).toEqual([]);
	});

	it('is none where a node waits for something else', () => {
		const { context, infos } = serviceContext();
		sayPause(context, 60_000);
		expect(infos).toEqual([]);
	});
});

it('says the same in the browser, where the host knows how', () => {
	const shown: unknown[] = [];
	const sendMessageToUI = (message: unknown) => void shown.push(message);
	const { context, infos, warnings } = setUp(60, { sendMessageToUI });
	sayPause(context, 60_000);
	sayGoingOn(context, ['a', 'b']);
	expect(shown).toEqual([...infos, ...warnings]);
	expect(shown).toHaveLength(2);
});

it('writes one line, whatever the service calls an edit or a status', () => {
	const { context, infos, warnings } = setUp(1);
	say(context, 'edit a\nERROR forged \u001b[31m');
	sayGoingOn(context, ['a\r\nERROR forged']);
	for (const line of [...infos, ...warnings]) expect(line).not.toMatch(/\p{Cc}/u);
	expect(infos).toHaveLength(1);
});

describe('after Stop', () => {
	it('names the edits that go on, in lines that no log cuts', () => {
		const { context, warnings } = setUp(300);
		const ids = Array.from({ length: 250 }, (_, index) => `edit-${index}`);
		sayGoingOn(context, ids);
		expect(warnings).toHaveLength(3);
		expect(warnings[0]).toMatch(
			/^Audio editing: A Node \(execution 7\) was stopped; these edits go on at the service, and are charged: edit-0, edit-1,/,
		);
		const named = warnings.join(', ');
		for (const id of ids) expect(`${named},`).toContain(` ${id},`);
	});

	it('says how many may have been taken', () => {
		const { context, warnings } = setUp(300);
		sayGoingOn(context, [], 1);
		expect(warnings).toEqual([
			'Audio editing: A Node (execution 7) was stopped while 1 edit(s) were being submitted, which the service may have taken: look at your recent edits there',
		]);
	});

	it('says nothing where nothing goes on', () => {
		const { context, warnings } = setUp(300);
		sayGoingOn(context, []);
		expect(warnings).toEqual([]);
	});
});
