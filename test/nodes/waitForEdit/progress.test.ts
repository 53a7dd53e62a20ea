import type { IExecuteFunctions } from 'n8n-workflow';

import { NodeRun } from '../../../nodes/core/run/nodeRun';
import { Progress, say, sayGoingOn } from '../../../nodes/core/run/progress';
import { systemTime } from '../../../testkit/time/leapingTime';
import { serviceContext } from '../../../testkit/n8n/serviceContext';
import { inStatus, type Replies, waitedEdits } from '../../../testkit/n8n/waitedEdits';

const WHO = 'Audio editing: A Node (execution 7): ';

/** Waits for the edits, however that ends. */
async function wait(
	editIds: string[],
	replies: Replies,
	more: Partial<IExecuteFunctions> = {},
	fields: Record<string, unknown> = {},
) {
	const waited = waitedEdits(editIds, replies, { more, fields });
	await waited.wait().catch(() => undefined);
	return waited;
}

const many = (count: number) => Array.from({ length: count }, (_, index) => `e${index}`);

describe('while it waits, Wait For Edit logs', () => {
	it('each change of status of a few edits, and each minute of waiting', async () => {
		const { infos } = await wait(['a', 'b'], (editId, poll) =>
			inStatus(poll > 20 ? 'SUCCESS' : editId === 'a' ? 'EDITING' : 'PENDING'),
		);
		const counts = [90, 150, 210].map(
			(seconds) =>
				`${WHO}0 of 2 edits finished after ${seconds} s (2 on the service: EDITING 1, PENDING 1)`,
		);
		expect(infos).toEqual([
			'Audio editing: edit a EDITING after 30 s',
			'Audio editing: edit b PENDING after 30 s',
			...counts,
			'Audio editing: edit a SUCCESS after 230 s',
			'Audio editing: edit b SUCCESS after 230 s',
			`${WHO}2 of 2 edits finished after 230 s`,
		]);
	});

	it('the counts of many edits each minute, how long the rest takes, at the end; their changes are for debugging', async () => {
		const { infos, debugs } = await wait(many(11), (editId, poll) =>
			inStatus(editId === 'e0' || poll > 4 ? 'SUCCESS' : poll > 2 ? 'EDITING' : 'PENDING'),
		);
		expect(infos).toEqual([
			`${WHO}1 of 11 edits finished after 60 s, about 10 min left (10 on the service: EDITING 10)`,
			`${WHO}11 of 11 edits finished after 70 s`,
		]);
		expect(debugs).toHaveLength(1 + 3 * 10);
	});

	it('the statuses of many edits, the most frequent first', async () => {
		const { infos } = await wait(many(12), (editId, poll) =>
			inStatus(poll > 6 ? 'SUCCESS' : editId === 'e0' ? 'EDITING' : 'PENDING'),
		);
		expect(infos.join()).toContain('(12 on the service: PENDING 11, EDITING 1)');
	});

	it('how far the service is with each of a few edits, where it says so', async () => {
		const { infos } = await wait(['a'], (_editId, poll) =>
			poll > 8 ? inStatus('SUCCESS') : inStatus('EDITING', { done: poll, total: 8 }),
		);
		expect(infos).toEqual([
			'Audio editing: edit a EDITING after 30 s (1 of 8)',
			`${WHO}0 of 1 edits finished after 90 s, about 1 min left (1 on the service: EDITING 1); edit a: 7 of 8`,
			'Audio editing: edit a SUCCESS after 110 s',
		]);
	});
});

describe('of single edits, Wait For Edit logs', () => {
	it('the progress of each edit that runs, and of no more than ten', async () => {
		const working: Replies = (editId, poll) =>
			poll > 7 || editId === 'c'
				? inStatus('SUCCESS')
				: inStatus('EDITING', { done: poll, total: 99 });
		const few = await wait(['a', 'b', 'c'], working);
		// The line follows the poll of 'a'; that of 'b' is still under way.
		expect(few.infos).toContain(
			`${WHO}1 of 3 edits finished after 90 s, about 3 min left (2 on the service: EDITING 2); edit a: 7 of 99; edit b: 6 of 99`,
		);
		expect((await wait(many(10), working)).infos.join()).toContain('; edit e9: 6 of 99');
		expect((await wait(many(11), working)).infos.join()).not.toContain('of 99');
	});

	it('why an edit failed, where the service says so', async () => {
		const { infos } = await wait(['a'], () => inStatus('FAILURE', { message: 'no audio' }));
		expect(infos).toEqual(['Audio editing: edit a FAILURE after 30 s: no audio']);
	});

	it('that status calls fail, and why', async () => {
		const { infos } = await wait(['a'], (_editId, poll) =>
			poll < 9 ? { status: 503 } : inStatus('SUCCESS'),
		);
		expect(infos[0]).toMatch(
			/: 0 of 1 edits finished after \d+ s \(1 on the service: PENDING 1\); failed status calls: 503$/,
		);
	});
});

it('names the edits that continue when Wait For Edit is stopped', async () => {
	const stop = new AbortController();
	const { warnings } = await wait(
		['a', 'b', 'c'],
		(editId, poll) => {
			if (editId === 'c' && poll === 2) stop.abort();
			return inStatus(editId === 'a' ? 'SUCCESS' : 'EDITING');
		},
		{ getExecutionCancelSignal: () => stop.signal },
	);
	expect(warnings).toEqual([
		'Audio editing: A Node (execution 7) was stopped; these edits keep running on the service: b (EDITING), c (EDITING)',
	]);
});

it('deletes many edits after Stop at the pace of status calls, and names those that it could not', async () => {
	const stop = new AbortController();
	const deletedAtMs: number[] = [];
	const { warnings } = await wait(
		many(100),
		(editId, _poll, method) => {
			if (method !== 'DELETE') {
				stop.abort();
				return inStatus('EDITING');
			}
			deletedAtMs.push(systemTime.now());
			return editId === 'e7' ? { status: 403, body: {} } : {};
		},
		{ getExecutionCancelSignal: () => stop.signal },
		{ whenStopped: 'delete' },
	);
	expect(deletedAtMs).toHaveLength(100);
	// Sixty at once, the others five a second.
	expect(deletedAtMs[99] - deletedAtMs[0]).toBeGreaterThan(7_000);
	expect(warnings).toEqual([
		'Audio editing: the execution was stopped, but these edits could not be deleted and are still on the service: e7 (403)',
	]);
});

it('names an edit that vanished before Stop, too: it may still be on the service', async () => {
	const stop = new AbortController();
	const { warnings } = await wait(
		['gone', 'b'],
		(editId, poll) => {
			if (editId === 'b' && poll === 40) stop.abort();
			return inStatus(editId === 'gone' && poll > 1 ? 'PENDING' : 'EDITING');
		},
		{ getExecutionCancelSignal: () => stop.signal, continueOnFail: () => true },
	);
	expect(warnings).toEqual([
		'Audio editing: A Node (execution 7) was stopped; these edits keep running on the service: gone (PENDING), b (EDITING)',
	]);
});

function setUp(total: number, more: Partial<IExecuteFunctions> = {}) {
	const noted = serviceContext({}, more);
	const run = new NodeRun(noted.context);
	return { ...noted, run, batch: new Progress(run, ['submitted', 'edits'], total) };
}

describe('what any node logs', () => {
	it('is the progress of a batch and when it continues, at most every minute', async () => {
		const { context, infos } = serviceContext({ plan: 'custom', submissionsPerMinute: 2 });
		const run = new NodeRun(context);
		const { client } = await run.openService();
		run.progress = new Progress(run, ['submitted', 'edits'], 6);
		for (let edit = 0; edit < 6; edit++) {
			await client.createEdit({ input: { files: ['https://f.example/a.wav'], config: {} } });
			run.progress.moved(edit, 'done');
		}
		expect(infos).toEqual([
			`${WHO}2 of 6 edits submitted after 0 s, about 3 min left, the next in 61 s (rate limit of the API key)`,
			`${WHO}4 of 6 edits submitted after 61 s, about 2 min left, the next in 61 s (rate limit of the API key)`,
			`${WHO}6 of 6 edits submitted after 122 s`,
		]);
	});

	it.each([
		[4_999, 0],
		[5_000, 1],
	])('is the first pause of a batch from five seconds on: %d ms', (waitMs, lines) => {
		const { batch, infos } = setUp(60);
		batch.pause(waitMs);
		batch.pause(waitMs);
		expect(infos).toHaveLength(lines);
	});

	it('is a line every minute for frequent short pauses', async () => {
		const { batch, infos } = setUp(60);
		for (let second = 0; second < 185; second += 1) {
			batch.pause(2_000);
			await systemTime.sleep(1_000);
		}
		expect(infos.map((line) => / after (\d+) s/.exec(line)?.[1])).toEqual(['60', '120', '180']);
	});

	it('is a line every minute for slow items, too', async () => {
		const { batch, infos } = setUp(10);
		for (let item = 0; item < 7; item += 1) {
			await systemTime.sleep(20_000);
			batch.moved(item, 'done');
		}
		expect(infos).toEqual([
			`${WHO}3 of 10 edits submitted after 60 s, about 3 min left`,
			`${WHO}6 of 10 edits submitted after 120 s, about 2 min left`,
		]);
	});

	it('counts what has failed as failed, whatever becomes of it', () => {
		const { batch, infos } = setUp(2);
		batch.failed(0, 'a.mp3');
		batch.moved(0, 'on the service');
		batch.moved(1, 'done');
		expect(infos).toEqual([`${WHO}1 of 2 edits submitted after 0 s (1 failed); failed: a.mp3`]);
	});

	it('is one line if a batch is done soon', () => {
		const { batch, infos } = setUp(2);
		batch.moved(0, 'done');
		batch.moved(1, 'done');
		expect(infos).toEqual([`${WHO}2 of 2 edits submitted after 0 s`]);
	});
});

describe('a line in the log of any node', () => {
	it('shows in the browser, too, if the host supports it', () => {
		const shown: unknown[] = [];
		const sendMessageToUI = (message: unknown) => void shown.push(message);
		const { run, batch, infos, warnings } = setUp(60, { sendMessageToUI });
		batch.pause(60_000);
		sayGoingOn(run, ['a', 'b']);
		expect(shown).toEqual([...infos, ...warnings]);
		expect(shown).toHaveLength(2);
	});

	it('is one line for any name of an edit or a status', () => {
		const { run, infos, warnings } = setUp(1);
		say(run, 'edit a\nERROR forged \u001b[31m');
		sayGoingOn(run, ['a\r\nERROR forged']);
		for (const line of [...infos, ...warnings]) expect(line).not.toMatch(/\p{Cc}/u);
		expect(infos).toHaveLength(1);
	});

	it('after Stop names the edits that continue, in lines that no log cuts', () => {
		const { run, warnings } = setUp(300);
		const ids = Array.from({ length: 250 }, (_, index) => `edit-${index}`);
		sayGoingOn(run, ids);
		expect(warnings).toHaveLength(3);
		expect(warnings[0]).toMatch(
			/was stopped; these edits keep running on the service: edit-0, edit-1,/,
		);
		const named = warnings.join(', ');
		for (const id of ids) expect(`${named},`).toContain(` ${id},`);
	});

	it('after Stop says how many edits may have been accepted, and nothing if nothing continues', () => {
		const { run, warnings } = setUp(300);
		sayGoingOn(run, []);
		expect(warnings).toEqual([]);
		sayGoingOn(run, [], 1);
		expect(warnings).toEqual([
			'Audio editing: A Node (execution 7) was stopped while an edit was being submitted, which the service may have accepted: look at your recent edits there',
		]);
	});
});
