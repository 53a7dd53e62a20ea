import { type INodeParameters, sleep } from 'n8n-workflow';
import { expectToFit } from '../../../testkit/n8n/outputSchemas';
import { polledNode } from '../../../testkit/n8n/pollNode';
import type { Answer } from '../../../testkit/service/fake/scriptedService';
import { useService } from '../../../testkit/service/useService';
import { systemTime } from '../../../testkit/time/leapingTime';

let tasks: object[] = [];
let listing: Answer | undefined;
let edit: (id: string) => Answer = () => ({ status: 404 });

const service = useService(({ path }) => {
	if (path.startsWith('/v2/completed_tasks/')) return listing ?? { body: { tasks } };
	return edit(path.split('/').at(-1) ?? '');
});

beforeEach(() => {
	tasks = [];
	listing = undefined;
});

function task(id: string, status = 'SUCCESS') {
	return { id, created_at: '2026-11-20T10:00:00Z', status, results: {}, length_audio: 60 };
}

function trigger(parameters: INodeParameters = {}, staticData = {}) {
	const templateId = { __rl: true, mode: 'id', value: '7' };
	return polledNode(service, { templateId, ...parameters }, staticData);
}

/** The time that n8n gives a poll, over before the poll begins. */
const USED_UP_MS = -1;

async function idsOf(polled: ReturnType<typeof trigger>, mode?: 'manual', budgetMs?: number) {
	return (await polled.poll(mode, budgetMs)).map(({ json }) => json.editId);
}

it('emits each finished edit once, oldest first, and nothing that finished before activation', async () => {
	const polled = trigger();
	tasks = [task('a')];
	expect(await idsOf(polled)).toEqual([]);
	tasks = [task('c'), task('b'), task('a')];
	expect(await idsOf(polled)).toEqual(['b', 'c']);
	expect(await idsOf(polled)).toEqual([]);
});

it('outputs what the next node reads, or everything', async () => {
	const options = { startWithPast: true };
	tasks = [{ ...task('a'), results: { key: 1 } }];
	expect((await trigger({ options }).poll())[0].json).toEqual({
		editId: 'a',
		templateId: 7,
		status: 'SUCCESS',
		createdAt: '2026-11-20T10:00:00Z',
		lengthAudio: 60,
	});
	const raw = await trigger({ options, simplify: false }).poll();
	expect(raw[0].json).toEqual({ ...tasks[0], editId: 'a', templateId: 7 });
});

it('starts with the last 7 days if set to', async () => {
	tasks = [task('b'), task('a')];
	const polled = trigger({ options: { startWithPast: true } });
	expect(await idsOf(polled)).toEqual(['a', 'b']);
	expect(await idsOf(polled)).toEqual([]);
});

it.each([
	['success', ['a', 'c', 'd', 'e', 'f']],
	['failure', ['b', 'g']],
	['both', ['a', 'b', 'c', 'd', 'e', 'f', 'g']],
])('triggers on %s, and each finished edit is a success or a failure', async (outcomes, ids) => {
	const polled = trigger({ outcomes });
	await polled.poll();
	const statuses = ['SUCCESS', 'FAILURE', ' success ', 'DONE', 'completed', '', 'Canceled'];
	tasks = statuses.map((status, index) => task('abcdefg'[index], status)).reverse();
	expect(await idsOf(polled)).toEqual(ids);
});

it('emits an unfinished edit once it is over', async () => {
	const polled = trigger();
	await polled.poll();
	tasks = [task('a', 'POSTPROCESSING')];
	expect(await idsOf(polled)).toEqual([]);
	tasks = [task('a')];
	expect(await idsOf(polled)).toEqual(['a']);
});

it('outputs the newest edit as a sample in a test run and remembers nothing', async () => {
	const polled = trigger({ outcomes: 'success' });
	tasks = [task('c', 'FAILURE'), task('b'), task('a')];
	expect(await idsOf(polled, 'manual')).toEqual(['b']);
	expect(await idsOf(polled, 'manual')).toEqual(['b']);
	expect(await idsOf(polled)).toEqual([]);
});

it('keeps its memory after a request that fails', async () => {
	const polled = trigger();
	await polled.poll();
	listing = { status: 401, body: { detail: 'no' } };
	await expect(polled.poll()).rejects.toThrow(/list the completed tasks of template 7/);
	listing = undefined;
	tasks = [task('a')];
	expect(await idsOf(polled)).toEqual(['a']);
});

it('begins anew with another template: what was seen of the one before does not count', async () => {
	const first = trigger();
	tasks = [task('a')];
	await first.poll();
	const templateId = { __rl: true, mode: 'id', value: '8' };
	const polled = trigger({ templateId }, first.staticData);
	tasks = [task('b')];
	expect(await idsOf(polled)).toEqual([]);
	tasks = [task('c'), task('b')];
	expect(await idsOf(polled)).toEqual(['c']);
});

const options = { readEdit: true };

describe('with the whole edit', () => {
	it('adds it', async () => {
		const polled = trigger({ options });
		await polled.poll();
		tasks = [task('a')];
		const result = { statistics: { FILLER_SOUND: 1 } };
		edit = (id) => ({ body: { task_id: id, status: 'SUCCESS', result } });
		const [{ json }] = await polled.poll();
		expect(json).toMatchObject({
			editId: 'a',
			edit: { status: 'SUCCESS', cutsText: '1 filler' },
		});
	});

	it('adds it as it came, without Simplify', async () => {
		const polled = trigger({ options, simplify: false });
		await polled.poll();
		tasks = [task('a')];
		const result = { filename: 'a.mp3' };
		edit = (id) => ({ body: { task_id: id, status: 'SUCCESS', result } });
		const [{ json }] = await polled.poll();
		expect(json.edit).toEqual({ task_id: 'a', status: 'SUCCESS', result, editId: 'a' });
	});

	it('still emits the event when the edit cannot be read, and says why', async () => {
		const polled = trigger({ options });
		await polled.poll();
		tasks = [task('c'), task('b'), task('a')];
		edit = (id) =>
			id === 'a'
				? { status: 422, body: { detail: 'too odd' } }
				: { body: { task_id: id, status: id === 'b' ? 'PENDING' : 'SUCCESS' } };
		const jsons = (await polled.poll()).map(({ json }) => json);
		jsons.forEach((json) => expectToFit({ type: 'editFinishedTrigger' }, json));
		expect(jsons).toMatchObject([
			{
				editId: 'a',
				edit: null,
				editNote: expect.stringMatching(/read the edit: .*\(edit a\).*says: too odd\.$/),
			},
			{ editId: 'b', edit: null, editNote: expect.stringContaining('PENDING') },
			{ editId: 'c', edit: { status: 'SUCCESS' } },
		]);
		expect(await idsOf(polled)).toEqual([]);
	});
});

describe('with many whole edits', () => {
	it('handles a long list in several polls, as time permits', async () => {
		const polled = trigger({ options });
		await polled.poll();
		tasks = Array.from({ length: 30 }, (_, index) => task(`t${index}`));
		// The nodes' time runs fast here: the first edit's retry uses this up.
		const budgetMs = 60_000;
		let asked = 0;
		edit = (id) =>
			++asked === 1
				? { status: 503, headers: { 'Retry-After': '30' } }
				: { body: { task_id: id, status: 'SUCCESS', result: {} } };
		const told: unknown[] = [];
		const polls: number[] = [];
		while (told.length < 30) {
			const ids = await idsOf(polled, undefined, budgetMs);
			polls.push(ids.length);
			told.push(...ids);
		}
		expect(polls.length).toBeGreaterThan(1);
		expect(told).toEqual(tasks.map((_task, index) => `t${29 - index}`));
	});
});

describe('with the whole edit, once', () => {
	it('reports nothing twice when one poll overtakes another', async () => {
		const polled = trigger({ options });
		await polled.poll();
		tasks = [task('b'), task('a')];
		const both = await Promise.all([idsOf(polled), idsOf(polled)]);
		expect(both.flat().sort()).toEqual(['a', 'b']);
	});

	it('repeats an event that n8n did not wait for', async () => {
		const polled = trigger({ options });
		await polled.poll();
		tasks = [task('a')];
		expect(await idsOf(polled, undefined, USED_UP_MS)).toEqual([]);
		expect(await idsOf(polled)).toEqual(['a']);
	});

	it('repeats an event if reading its edit took longer than n8n waits', async () => {
		const polled = trigger({ options });
		await polled.poll();
		tasks = [task('a')];
		// As if the machine had slept meanwhile.
		edit = (id) => {
			systemTime.advance(60_000);
			return { body: { task_id: id, status: 'SUCCESS', result: {} } };
		};
		expect(await idsOf(polled, undefined, 36_000)).toEqual([]);
		expect(await idsOf(polled)).toEqual(['a']);
	});
});

it('recognizes an edit by its id alone, whatever else is wrong with it', async () => {
	const polled = trigger();
	await polled.poll();
	const odd = [
		{ id: 'a' },
		{ task_id: 'b', status: null, created_at: null },
		{ id: 5, status: 'SUCCESS' },
		{ status: 'SUCCESS' },
	];
	tasks = odd;
	expect(await idsOf(polled)).toEqual(['5', 'b', 'a']);
	expect(await idsOf(polled)).toEqual([]);
});

it.each([[{}], [{ tasks: null }], [[]]])(
	'%j is not a list of edits, not even an empty one',
	async (body) => {
		const polled = trigger();
		listing = { body };
		await expect(polled.poll()).rejects.toThrow(/list the completed tasks/);
		listing = undefined;
		tasks = [task('a')];
		expect(await idsOf(polled)).toEqual([]);
	},
);

it('refuses an invalid template before any request', async () => {
	const templateId = { __rl: true, mode: 'id', value: 'x' };
	await expect(trigger({ templateId }).poll()).rejects.toThrow(/'Template' is not a whole/);
	expect(service.seen).toEqual([]);
});

it('an edit too slow for n8n holds back neither its own event nor the next', async () => {
	edit = (id) =>
		id === 'slow'
			? { status: 503, headers: { 'Retry-After': '30' } }
			: { body: { task_id: id, status: 'SUCCESS', result: {} } };
	const polled = trigger({ options: { readEdit: true } });
	// The time n8n gives a poll when its scheduler for polls is on.
	const told = async () => (await polled.poll('trigger', 36_000)).map(({ json }) => json);
	expect(await told()).toEqual([]);
	tasks = [task('next'), task('slow')];
	expect([...(await told()), ...(await told())]).toMatchObject([
		{ editId: 'slow', edit: null, editNote: expect.stringContaining('took longer than') },
		{ editId: 'next', edit: { status: 'SUCCESS' } },
	]);
	// The node still tries four times in the background; the test must not end before that does.
	const tries = () => service.seen.filter(({ path }) => path.endsWith('/slow')).length;
	while (tries() < 4) await sleep(50);
});
