import type { INodeExecutionData } from 'n8n-workflow';

import { systemTime } from '../../../api/time';
import { living, waitedEdits } from '../../../testkit/n8n/waitedEdits';

const CONTINUE = { continueOnFail: () => true };
const jsonOf = (items: readonly INodeExecutionData[]) => items.map(({ json }) => json);
const placesOf = (items: readonly INodeExecutionData[]) =>
	items.map(({ pairedItem }) => pairedItem);
const messagesOf = (items: readonly INodeExecutionData[]) =>
	items.map(({ error }) => error?.message);

const unreadable = () => {
	throw new Error('no such node');
};

/** The fields of an edit of which nobody says anything, in their order. */
const NOTHING_SAID = {
	status: null,
	durationBeforeSeconds: null,
	durationAfterSeconds: null,
	loudnessBeforeLufs: null,
	loudnessAfterLufs: null,
	cuts: { longSilences: null, fillers: null, breaths: null, stutters: null, mouthSounds: null },
	cutsText: null,
	links: { edited: null, merged: [], markers: [] },
};

describe('a finished edit', () => {
	it('is output in short, with the statuses it went through', async () => {
		const { wait, metas } = waitedEdits(['a'], living({ a: ['EDITING', 'SUCCESS'] }));
		const { finished, stillRunning } = await wait();
		expect(stillRunning).toEqual([]);
		const json = {
			editId: 'a',
			sourceFileName: null,
			editedFileName: 'a.mp3',
			finished: true,
			...NOTHING_SAID,
			status: 'SUCCESS',
			links: { edited: 'https://files.example.com/a', merged: [], markers: [] },
			waitedSeconds: 40,
			polls: 2,
			history: [
				{ status: 'EDITING', atSeconds: 30 },
				{ status: 'SUCCESS', atSeconds: 40 },
			],
		};
		expect(finished).toEqual([{ json, pairedItem: { item: 0 } }]);
		expect(Object.keys(finished[0].json)).toEqual(Object.keys(json));
		expect(metas).toEqual(json.history.map((seen) => ({ editId: 'a', ...seen })));
	});

	it('is output whole on request', async () => {
		const fields = { simplify: false };
		const { wait } = waitedEdits(['a'], living({ a: ['SUCCESS'] }), { fields });
		const [json] = jsonOf((await wait()).finished);
		expect(json).toMatchObject({ editId: 'a', task_id: 'x', finished: true, polls: 1 });
		expect(json).toHaveProperty('result.filename', 'a.mp3');
		expect(json).not.toHaveProperty('links');
	});

	it('in two items is polled once', async () => {
		const { wait, calls } = waitedEdits(['a', 'a'], living({ a: ['SUCCESS'] }));
		expect(placesOf((await wait()).finished)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(calls).toEqual(['GET a']);
	});

	it.each<[string, object, number]>([
		['submittedAt', { submittedAt: new Date(systemTime.timeOfDay() - 100_000).toISOString() }, 0],
		['firstPollAfterSeconds', { firstPollAfterSeconds: 5 }, 5],
	])('is first polled as its own item says in %s', async (_field, json, waitedSeconds) => {
		const { wait, items } = waitedEdits(['a', 'b'], living({ a: ['SUCCESS'], b: ['SUCCESS'] }));
		Object.assign(items[1].json, json);
		const waited = jsonOf((await wait()).finished).map((one) => one.waitedSeconds);
		expect(waited).toEqual([30, waitedSeconds]);
	});

	it('does not carry the time of its submission on', async () => {
		const { wait, items } = waitedEdits(['a'], living({ a: ['SUCCESS'] }));
		items[0].json.submittedAt = new Date(systemTime.timeOfDay()).toISOString();
		expect(jsonOf((await wait()).finished)[0]).not.toHaveProperty('submittedAt');
	});
});

describe('an edit that is still running when the time is up', () => {
	const PASS_ON = { whenTimeIsUp: 'passOn', maximumWaitMinutes: 1 };

	it('goes to a separate output on request, with the time of its submission', async () => {
		const lives = living({ a: ['EDITING'], b: ['SUCCESS'], c: ['EDITING'] });
		const { wait, items } = waitedEdits(['a', 'b', 'c'], lives, { fields: PASS_ON });
		const submittedAt = new Date(systemTime.timeOfDay()).toISOString();
		items[0].json.submittedAt = submittedAt;
		const { finished, stillRunning } = await wait();
		expect(jsonOf(finished)).toMatchObject([{ editId: 'b', finished: true }]);
		expect(jsonOf(stillRunning)).toMatchObject([
			{ editId: 'a', finished: false, status: 'EDITING', submittedAt },
			{ editId: 'c', finished: false, status: 'EDITING' },
		]);
		expect(stillRunning[1].json).not.toHaveProperty('submittedAt');
		expect(placesOf(stillRunning)).toEqual([{ item: 0 }, { item: 2 }]);
	});

	it('carries its ID even if it was never polled', async () => {
		const fields = { ...PASS_ON, maximumWaitMinutes: 0 };
		const { wait } = waitedEdits(['a'], () => ({ status: 503 }), { fields });
		expect(jsonOf((await wait()).stillRunning)).toEqual([
			{
				editId: 'a',
				sourceFileName: null,
				editedFileName: null,
				finished: false,
				...NOTHING_SAID,
				waitedSeconds: 0,
				polls: 1,
				history: [],
			},
		]);
	});

	it('is not deleted unless the execution was stopped', async () => {
		const fields = { ...PASS_ON, whenStopped: 'delete' };
		const lives = living({ a: ['EXPORT', 'EDITING', 'RETRY'] });
		const { wait, calls } = waitedEdits(['a'], lives, { fields });
		expect((await wait()).stillRunning[0].json.status).toBe('RETRY');
		expect(calls.filter((call) => call.startsWith('DELETE'))).toEqual([]);
	});

	it('otherwise ends the node', async () => {
		const fields = { maximumWaitMinutes: 1 };
		const { wait } = waitedEdits(['a'], living({ a: ['EDITING'] }), { fields });
		await expect(wait()).rejects.toThrow(
			/^The edit did not finish in time.*\(edit a\) \[item 0\]$/,
		);
	});
});

describe('an edit that ends badly', () => {
	const LIVES = living({ a: ['EDITING', 'EDITING', 'SUCCESS'], b: ['FAILURE'], c: ['SUCCESS'] });

	it('ends the node at once, and the error names the other edits', async () => {
		const { wait, calls } = waitedEdits(['a', 'b'], LIVES);
		const thrown = (await wait().catch((error: unknown) => error)) as Error & {
			description: string;
		};
		expect(thrown.message).toMatch(/^The recording could not be edited: .* \(edit b\) \[item 1\]$/);
		expect(thrown.description).toContain('a (EDITING)');
		expect(thrown.description).not.toContain('b (');
		expect(calls.filter((call) => call === 'GET a')).toHaveLength(1);
	});

	it('fails alone in its place if the node continues', async () => {
		const { finished, stillRunning } = await waitedEdits(['a', 'b', '', 'c'], LIVES, {
			more: CONTINUE,
		}).wait();
		expect(stillRunning).toEqual([]);
		expect(placesOf(finished)).toEqual([0, 1, 2, 3].map((item) => ({ item })));
		expect(messagesOf(finished)).toEqual([
			undefined,
			expect.stringMatching(
				/^The recording could not be edited: the service gives no reason \(edit b\) \[item 1\]\. /,
			),
			expect.stringMatching(
				/^'Edit ID' is empty \[item 2\]\. Nothing was sent\. Connect Audio Editing Create Edit/,
			),
			undefined,
		]);
		expect(finished[1].json).toMatchObject({ editId: 'b', status: 'FAILURE', polls: 1 });
		expect(finished[2].error?.description).toMatch(
			/^Nothing was sent\. Connect Audio Editing Create Edit/,
		);
		expect(finished[1].error).not.toHaveProperty('description', expect.stringContaining('other'));
	});

	it('has the other edits in the log if there are many', async () => {
		const ids = Array.from({ length: 12 }, (_, n) => `e${n}`);
		const lives = Object.fromEntries(ids.map((id) => [id, ['EDITING']]));
		const { wait, warnings } = waitedEdits(ids, living({ ...lives, e5: ['FAILURE'] }));
		await expect(wait()).rejects.toThrow(/^The recording could not be edited: .* \(edit e5\)/);
		expect(warnings).toEqual([expect.stringMatching(/^Audio editing: e0 \(.*, e11 \(/)]);
	});

	it('with an output that cannot be made fails alone if the node continues', async () => {
		const fields = { 'advanced.simplify': (item: number) => item > 0 || unreadable() };
		const lives = living({ a: ['SUCCESS'], c: ['SUCCESS'] });
		const continues = waitedEdits(['a', 'c'], lives, { fields, more: CONTINUE });
		const { finished } = await continues.wait();
		expect(messagesOf(finished)).toEqual(['no such node', undefined]);
		expect(finished[0].json.editId).toBe('a');
		const ends = waitedEdits(['a', 'c'], lives, { fields });
		await expect(ends.wait()).rejects.toThrow('no such node');
	});

	it('is output in the order of the items, like one that cannot be read', async () => {
		const ids = ['a', '', 'b', '', 'c'];
		const fields = { editId: (item: number) => ids[item] || unreadable() };
		const { finished } = await waitedEdits(ids, LIVES, { fields, more: CONTINUE }).wait();
		expect(placesOf(finished)).toEqual([0, 1, 2, 3, 4].map((item) => ({ item })));
	});
});

it('an edit that stays PENDING is pointed out once in the log and as a hint', async () => {
	const { wait, warnings, hints, metas } = waitedEdits(
		['a'],
		living({ a: [...Array<string>(12).fill('PENDING'), 'SUCCESS'] }),
		{ fields: { advanced: { pendingNoticeMinutes: 1 } } },
	);
	await wait();
	const text =
		'PENDING for 1 minutes, and has never had another status. The service also reports PENDING for an unknown, deleted or expired edit ID, and for an edit that belongs to another API key. Check the ID and the credential.';
	expect(warnings).toEqual([`Audio editing: edit a is ${text}`]);
	expect(hints).toEqual([`edit a: ${text}`]);
	expect(metas).toContainEqual({ editId: 'a' });
});

describe('a stopped execution', () => {
	/** Stops at the second poll of the edit that is still running. */
	const stopped = async (whenStopped: string, lives: Parameters<typeof living>[0]) => {
		const stop = new AbortController();
		const { wait, calls, infos } = waitedEdits(
			Object.keys(lives),
			(editId, number, method) => {
				if (method === 'DELETE') return { body: {} };
				if (editId === 'a' && calls.includes('GET b')) stop.abort();
				return living(lives)(editId, number, method);
			},
			{
				fields: { costAndSafety: { whenStopped } },
				more: { ...CONTINUE, getExecutionCancelSignal: () => stop.signal },
			},
		);
		const thrown = (await wait().catch((error: unknown) => error)) as Error;
		return { thrown, deleted: calls.filter((call) => call.startsWith('DELETE')), infos };
	};

	it('ends the node with the state of an edit, even if it is set to continue', async () => {
		const { thrown, deleted } = await stopped('leave', { a: ['EDITING'], b: ['EDITING'] });
		expect(thrown.message).toMatch(
			/^The execution was stopped while the edit had status EDITING \(edit a\)/,
		);
		expect(deleted).toEqual([]);
	});

	it('deletes unfinished edits on request', async () => {
		const lives = { a: ['EDITING'], b: ['FAILURE'], c: ['SUCCESS'], d: ['EDITING'] };
		const { deleted, infos } = await stopped('delete', lives);
		expect([...deleted].sort()).toEqual(['DELETE a', 'DELETE d']);
		expect(infos).toContainEqual(expect.stringMatching(/edit a deleted/));
	});
});
