import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { systemTime } from '../../../api/time';
import { waitWork } from '../../../nodes/WaitForEdit/waitItems';
import { runNode } from '../../../nodes/shared/run/runNode';
import { withFields } from '../../support/nodeContext';
import type { Answer } from '../../support/scriptedService';
import { serviceContext } from '../../support/serviceContext';

jest.mock('../../../api/time', () => jest.requireActual('../../support/leapingTime'));

const FORM = { whileWaiting: 'keepRunning', maximumWaitMinutes: 5 };

const RESULT = {
	video: false,
	filename: 'a.mp3',
	download_url: 'https://files.example.com/a',
	statistics: { DEADAIR: 3 },
	social_content: [],
	merged_audio_url: [],
	timestamps_markers_urls: [],
	waveform_result: [],
};

/** The statuses an edit goes through, one per status call; the last one repeats. */
type Lives = Record<string, readonly string[]>;

interface Given {
	readonly fields?: Record<string, unknown>;
	readonly more?: Partial<IExecuteFunctions>;
	readonly answer?: (url: string, number: number) => Answer | undefined;
}

function setUp(editIds: readonly string[], lives: Lives, { fields, more, answer }: Given = {}) {
	const items: INodeExecutionData[] = editIds.map((editId) => ({ json: { editId } }));
	const calls: string[] = [];
	const form: Record<string, unknown> = { ...FORM, ...fields };
	const getNodeParameter = (name: string, itemIndex: number, fallback?: unknown) =>
		name === 'editId'
			? editIds[itemIndex]
			: withFields(form).getNodeParameter(name, itemIndex, fallback as object);
	const noted = serviceContext(
		{},
		{ getNodeParameter: getNodeParameter as IExecuteFunctions['getNodeParameter'], ...more },
		items,
		({ method, path }) => {
			calls.push(`${method} ${path.split('/').at(-1)}`);
			const number = calls.filter((call) => call === calls.at(-1)).length;
			const given = answer?.(`${method} ${path}`, number);
			if (given) return given;
			const editId = path.split('/').at(-1)!;
			const life = lives[editId];
			const status = life[Math.min(number, life.length) - 1];
			const result = status === 'SUCCESS' ? { ...RESULT } : undefined;
			return { body: { task_id: editId, status, result } };
		},
	);
	const wait = async () => {
		const waited = (await runNode(noted.context, waitWork)).flat();
		const runsOn = ({ json }: INodeExecutionData) => json.finished === false;
		return {
			finished: waited.filter((item) => !runsOn(item)),
			stillRunning: waited.filter(runsOn),
		};
	};
	return { ...noted, items, calls, wait };
}

const CONTINUE = { continueOnFail: () => true };

const jsonOf = (items: readonly INodeExecutionData[]) => items.map(({ json }) => json);

describe('a finished edit', () => {
	it('is output in short, with the statuses it went through', async () => {
		const { wait, infos, metas } = setUp(['a'], { a: ['EDITING', 'SUCCESS'] });
		const { finished, stillRunning } = await wait();
		expect(stillRunning).toEqual([]);
		expect(finished).toEqual([
			{
				json: {
					editId: 'a',
					status: 'SUCCESS',
					fileName: 'a.mp3',
					downloadUrl: 'https://files.example.com/a',
					statistics: { DEADAIR: 3 },
					finished: true,
					waitedSeconds: 40,
					polls: 2,
					history: [
						{ status: 'EDITING', atSeconds: 30 },
						{ status: 'SUCCESS', atSeconds: 40 },
					],
				},
				pairedItem: { item: 0 },
			},
		]);
		expect(infos).toEqual([
			'Audio editing: edit a EDITING after 30 s',
			'Audio editing: edit a SUCCESS after 40 s',
		]);
		expect(metas).toEqual([
			{ editId: 'a', status: 'EDITING', atSeconds: 30 },
			{ editId: 'a', status: 'SUCCESS', atSeconds: 40 },
		]);
	});

	it('is output whole on request', async () => {
		const { wait } = setUp(['a'], { a: ['SUCCESS'] }, { fields: { simplify: false } });
		const [json] = jsonOf((await wait()).finished);
		expect(json).toMatchObject({ editId: 'a', task_id: 'a', finished: true, polls: 1 });
		expect(json).toHaveProperty('result.filename', 'a.mp3');
		expect(json).not.toHaveProperty('fileName');
	});

	it('in two items is polled once', async () => {
		const { wait, calls } = setUp(['a', 'a'], { a: ['SUCCESS'] });
		const { finished } = await wait();
		expect(finished.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(calls).toEqual(['GET a']);
	});

	it('does not carry the time of its submission on', async () => {
		const { wait, items } = setUp(['a'], { a: ['SUCCESS'] });
		items[0].json.submittedAt = new Date(systemTime.timeOfDay()).toISOString();
		expect(jsonOf((await wait()).finished)[0]).not.toHaveProperty('submittedAt');
	});
});

describe('an edit that is still running when the time is up', () => {
	const PASS_ON = { whenTimeIsUp: 'passOn', maximumWaitMinutes: 1 };

	it('goes to a separate output on request, with the time of its submission', async () => {
		const { wait, items } = setUp(
			['a', 'b', 'c'],
			{ a: ['EDITING'], b: ['SUCCESS'], c: ['EDITING'] },
			{ fields: PASS_ON },
		);
		const submittedAt = new Date(systemTime.timeOfDay()).toISOString();
		items[0].json.submittedAt = submittedAt;
		const { finished, stillRunning } = await wait();
		expect(jsonOf(finished)).toMatchObject([{ editId: 'b', finished: true }]);
		expect(jsonOf(stillRunning)).toMatchObject([
			{ editId: 'a', finished: false, status: 'EDITING', submittedAt },
			{ editId: 'c', finished: false, status: 'EDITING' },
		]);
		expect(stillRunning[1].json).not.toHaveProperty('submittedAt');
		expect(stillRunning.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
	});

	it('carries its ID even if it was never polled', async () => {
		const fields = { ...PASS_ON, maximumWaitMinutes: 0 };
		const { wait } = setUp(
			['a'],
			{ a: ['EDITING'] },
			{
				fields,
				answer: () => ({ status: 503 }),
			},
		);
		const { stillRunning } = await wait();
		expect(jsonOf(stillRunning)).toEqual([
			{ editId: 'a', finished: false, waitedSeconds: 0, polls: 1, history: [] },
		]);
	});

	it('is not deleted unless the execution was stopped', async () => {
		const fields = { ...PASS_ON, options: { whenStopped: 'delete' } };
		const { wait, calls } = setUp(['a'], { a: ['EXPORT', 'EDITING', 'RETRY'] }, { fields });
		expect((await wait()).stillRunning[0].json.status).toBe('RETRY');
		expect(calls.filter((call) => call.startsWith('DELETE'))).toEqual([]);
	});

	it('differs from one that failed', async () => {
		const given = { fields: PASS_ON, more: CONTINUE };
		const { wait } = setUp(['a', 'b'], { a: ['EDITING'], b: ['FAILURE'] }, given);
		const { finished, stillRunning } = await wait();
		expect(finished.map(({ error }) => error?.message)).toEqual([
			expect.stringMatching(/^Edit b ended with status FAILURE/),
		]);
		expect(stillRunning).toHaveLength(1);
	});

	it('otherwise ends the node', async () => {
		const { wait } = setUp(['a'], { a: ['EDITING'] }, { fields: { maximumWaitMinutes: 1 } });
		await expect(wait()).rejects.toThrow(/^Edit a did not finish in time.*\[item 0\]$/);
	});
});

describe('an edit that ends badly', () => {
	const LIVES = { a: ['EDITING', 'EDITING', 'SUCCESS'], b: ['FAILURE'], c: ['SUCCESS'] };

	it('ends the node at once, and the error names the other edits', async () => {
		const { wait, calls } = setUp(['a', 'b'], LIVES);
		const thrown = (await wait().catch((error: unknown) => error)) as Error & {
			description: string;
		};
		expect(thrown.message).toMatch(/^Edit b ended with status FAILURE.*\[item 1\]$/);
		expect(thrown.description).toContain('a (EDITING)');
		expect(thrown.description).not.toContain('b (');
		expect(calls.filter((call) => call === 'GET a')).toHaveLength(1);
	});

	it('fails alone in its place if the node continues', async () => {
		const { wait } = setUp(['a', 'b', '', 'c'], LIVES, { more: CONTINUE });
		const { finished, stillRunning } = await wait();
		expect(stillRunning).toEqual([]);
		expect(finished.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3].map((item) => ({ item })),
		);
		expect(finished.map(({ error }) => error?.message)).toEqual([
			undefined,
			expect.stringMatching(
				/^Edit b ended with status FAILURE.*\[item 1\]\. The service gives no reason\. /,
			),
			expect.stringMatching(
				/^Could not wait for the edit: 'Edit ID' is empty\. Connect Create Edit.*\[item 2\]\. Nothing was sent\./,
			),
			undefined,
		]);
		expect(finished[1].json).toMatchObject({ editId: 'b', status: 'FAILURE', polls: 1 });
		expect(finished[2].error?.description).toMatch(/^Nothing was sent\. Correct this/);
		expect(finished[1].error).not.toHaveProperty('description', expect.stringContaining('other'));
	});

	it('has the other edits in the log if there are many', async () => {
		const ids = Array.from({ length: 12 }, (_, n) => `e${n}`);
		const lives = Object.fromEntries(ids.map((id) => [id, ['EDITING']]));
		const { wait, warnings } = setUp(ids, { ...lives, e5: ['FAILURE'] });
		await expect(wait()).rejects.toThrow(/^Edit e5 ended with status FAILURE/);
		expect(warnings).toEqual([expect.stringContaining('the wait ended for e0 (')]);
	});

	it('with an impossible ID fails before any wait', async () => {
		const { wait, calls } = setUp(['a', 'x/y'], LIVES);
		await expect(wait()).rejects.toThrow(
			/wait for edit x\/y: 'Edit ID' (is empty|contains characters)/,
		);
		expect(calls).toEqual([]);
	});

	it('with an output that cannot be made fails alone if the node continues', async () => {
		const form = withFields(FORM).getNodeParameter;
		const getNodeParameter = ((name: string, itemIndex: number, fallback?: object) => {
			if (name === 'editId') return ['a', 'c'][itemIndex];
			if (name === 'options.simplify' && itemIndex === 0) throw new Error('no such node');
			return form(name, itemIndex, fallback as object);
		}) as IExecuteFunctions['getNodeParameter'];
		const lives = { a: ['SUCCESS'], c: ['SUCCESS'] };
		const more = { getNodeParameter };
		const { finished } = await setUp(['a', 'c'], lives, { more: { ...more, ...CONTINUE } }).wait();
		expect(finished.map(({ error }) => error?.message)).toEqual(['no such node', undefined]);
		expect(finished[0].json.editId).toBe('a');
		await expect(setUp(['a', 'c'], lives, { more }).wait()).rejects.toThrow('no such node');
	});

	it('is output in the order of the items, like one that cannot be read', async () => {
		const getNodeParameter = ((name: string, itemIndex: number, fallback?: object) => {
			if (name === 'editId' && itemIndex % 2 === 1) throw new Error('no such node');
			if (name === 'editId') return ['a', '', 'b', '', 'c'][itemIndex];
			return withFields(FORM).getNodeParameter(name, itemIndex, fallback as object);
		}) as IExecuteFunctions['getNodeParameter'];
		const more = { getNodeParameter, ...CONTINUE };
		const { finished } = await setUp(['a', '', 'b', '', 'c'], LIVES, { more }).wait();
		expect(finished.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3, 4].map((item) => ({ item })),
		);
	});
});

it('an unreadable form fails each item, and no edit is still running', async () => {
	const given = { fields: { maximumWaitMinutes: 'soon' }, more: CONTINUE };
	const { finished, stillRunning } = await setUp(['a', 'b'], {}, given).wait();
	expect(finished.map(({ error }) => error?.message)).toEqual(
		Array(2).fill(expect.stringContaining("'Maximum Wait (Minutes)' must be a number")),
	);
	expect(stillRunning).toEqual([]);
});

describe('an edit that stays PENDING', () => {
	it('is pointed out once in the log and as a hint', async () => {
		const { wait, warnings, hints, metas } = setUp(
			['a'],
			{ a: [...Array<string>(12).fill('PENDING'), 'SUCCESS'] },
			{ fields: { options: { pendingNoticeMinutes: 1 } } },
		);
		await wait();
		const text =
			'PENDING for 1 minutes, and has had no other status. The service also reports PENDING for an unknown, deleted or expired edit ID, and for an edit of another API key: check the ID and the credential.';
		expect(warnings).toEqual([`Audio editing: edit a is ${text}`]);
		expect(hints).toEqual([`edit a: ${text}`]);
		expect(metas).toContainEqual({ editId: 'a' });
	});
});

describe('a stopped execution', () => {
	const stopped = async (whenStopped: string, lives: Lives, ids: string[]) => {
		const stop = new AbortController();
		const { wait, calls, infos } = setUp(ids, lives, {
			fields: { options: { whenStopped } },
			more: { ...CONTINUE, getExecutionCancelSignal: () => stop.signal },
			answer: (call) => {
				// At the second poll of the edit that is still running.
				if (call.startsWith('GET') && call.endsWith('/a') && calls.includes('GET b')) stop.abort();
				return call.startsWith('DELETE') ? { body: {} } : undefined;
			},
		});
		const thrown = (await wait().catch((error: unknown) => error)) as Error;
		return { thrown, deleted: calls.filter((call) => call.startsWith('DELETE')), infos };
	};
	const LIVES = { a: ['EDITING'], b: ['FAILURE'], c: ['SUCCESS'], d: ['EDITING'] };

	it('ends the node with the state of an edit, even if it is set to continue', async () => {
		const { thrown, deleted } = await stopped('leave', { ...LIVES, b: ['EDITING'] }, ['a', 'b']);
		expect(thrown.message).toMatch(/^Edit a had status EDITING when the execution was stopped/);
		expect(deleted).toEqual([]);
	});

	it('deletes unfinished edits on request', async () => {
		const { deleted, infos } = await stopped('delete', LIVES, ['a', 'b', 'c', 'd']);
		expect([...deleted].sort()).toEqual(['DELETE a', 'DELETE d']);
		expect(infos.filter((info) => info.includes('edit a '))).toContainEqual(
			expect.stringMatching(/edit a deleted/),
		);
	});
});
