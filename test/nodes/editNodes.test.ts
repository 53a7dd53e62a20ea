import { type INodeParameters, sleep } from 'n8n-workflow';

import { itemsOf, readFile, startEngine } from '../support/n8nEngine';
import {
	type Answer,
	type ScriptedService,
	startScriptedService,
} from '../support/scriptedService';
import { type NodeSpec, chain, runChain } from '../support/workflows';

jest.mock('../../api/time', () => jest.requireActual('../support/scaledTime'));

/** What the service says of an edit at its first, second … poll; the last one stays. */
type Script = Record<string, Answer[]>;

let service: ScriptedService;
let script: Script = {};

beforeAll(async () => {
	await startEngine();
	service = await startScriptedService(({ path }, number) => {
		const answers = script[path.split('?')[0]] ?? [{ status: 404, body: { detail: 'Not Found' } }];
		return answers[Math.min(number, answers.length) - 1];
	});
});

beforeEach(() => {
	service.seen.length = 0;
});

afterAll(async () => {
	await service.stop();
});

const status = (taskId: string, name: string, result?: unknown): Answer => ({
	body: { task_id: taskId, status: name, ...(result !== undefined && { result }) },
});

const finished = (taskId: string): Answer =>
	status(taskId, 'SUCCESS', {
		video: false,
		filename: 'episode-edited.mp3',
		download_url: `${service.url}/download/${taskId}?signature=link-secret`,
		statistics: { DEADAIR: 3 },
		transcription: null,
		summarization: null,
		social_content: [],
		merged_audio_url: [],
		timestamps_markers_urls: [],
		waveform_result: [],
	});

const FILE_ANSWER: Answer = { body: 'bytes of a file', headers: { 'Content-Type': 'audio/mpeg' } };

async function run(
	type: string,
	editIds: unknown[],
	parameters: INodeParameters = {},
	settings: NodeSpec['settings'] = {},
) {
	const items = editIds.map((editId) => ({ json: { editId: editId as string } }));
	const result = await runChain(service, chain({ type, parameters, settings }), items);
	return { run: result, out: itemsOf(result, type), error: result.data.resultData.error };
}

describe('Wait For Edit', () => {
	it('goes through every status to the result, which may come a poll later', async () => {
		const states = ['PENDING', 'STARTED', 'A_NEW_STATE', 'EXPORT', 'RETRY'];
		script = {
			'/v2/edits/a': [
				...states.map((name) => status('a', name)),
				status('a', 'SUCCESS', []),
				finished('a'),
			],
		};
		const { out } = await run('waitForEdit', ['a']);
		expect(out[0].json).toMatchObject({
			editId: 'a',
			status: 'SUCCESS',
			finished: true,
			fileName: 'episode-edited.mp3',
			statistics: { DEADAIR: 3 },
			polls: 7,
		});
		const history = out[0].json.history as Array<{ status: string }>;
		expect(history.map((change) => change.status)).toEqual([...states, 'SUCCESS']);
	});

	it('takes the superseded shape', async () => {
		const result = { url: 'https://files.example.com/a.mp3', summary: { title: 'T' } };
		script = { '/v2/edits/a': [{ body: { id: 'a', status: 'SUCCESS', result } }] };
		const { out } = await run('waitForEdit', ['a']);
		expect(out[0].json).toMatchObject({ editId: 'a', finished: true, downloadUrl: result.url });
		const { out: raw } = await run('waitForEdit', ['a'], { simplify: false });
		expect(raw[0].json).toMatchObject({ editId: 'a', id: 'a', result });
	});

	it('gives out nothing for no items', async () => {
		const { out, error } = await run('waitForEdit', []);
		expect(out).toEqual([]);
		expect(error).toBeUndefined();
	});

	it('asks once about an edit that two items carry', async () => {
		script = { '/v2/edits/a': [finished('a')] };
		const { out } = await run('waitForEdit', ['a', 'a']);
		expect(out.map(({ json }) => json.editId)).toEqual(['a', 'a']);
		expect(service.seen).toHaveLength(1);
	});

	it('lets one failed edit fail alone', async () => {
		script = {
			'/v2/edits/a': [finished('a')],
			'/v2/edits/b': [status('b', 'FAILURE')],
			'/v2/edits/c': [status('c', 'EDITING'), finished('c')],
		};
		const settings: NodeSpec['settings'] = { onError: 'continueErrorOutput' };
		const { run: result, out } = await run('waitForEdit', ['a', 'b', '', 'c'], {}, settings);
		expect(out.map(({ json }) => json.editId)).toEqual(['a', 'c']);
		const failures = itemsOf(result, 'waitForEdit', 1);
		expect(failures.map(({ json }) => json.error)).toEqual([
			expect.stringMatching(/^Edit b ended with status FAILURE after .* s of waiting \[item 1\]$/),
			expect.stringMatching(/'Edit ID' cannot be used: it is empty.*\[item 2\]$/),
		]);
	});

	it('names the edit, its state and the other edits when it ends the workflow', async () => {
		script = {
			'/v2/edits/a': [status('a', 'EDITING')],
			'/v2/edits/b': [status('b', 'EDITING'), status('b', 'FAILURE')],
		};
		const { error } = await run('waitForEdit', ['a', 'b']);
		expect(error?.message).toMatch(/^Edit b ended with status FAILURE/);
		expect(error?.description).toMatch(/create a new edit.*The other edits: a \(EDITING\)/);
	});

	it('fails when the time is up, and says how to get the edit later', async () => {
		script = { '/v2/edits/a': [status('a', 'PENDING')] };
		const { error } = await run('waitForEdit', ['a'], { maximumWaitMinutes: 1 });
		expect(error?.message).toMatch(
			/Edit a did not finish in time, its last status is PENDING after 6\d/,
		);
		expect(error?.description).toMatch(
			/goes on at the service.*Raise 'Maximum Wait'.*by its ID a.*unknown/,
		);
	});

	it('passes on what still runs, if it is told to', async () => {
		script = { '/v2/edits/a': [status('a', 'EDITING')] };
		const parameters = { maximumWaitMinutes: 1, whenTimeIsUp: 'passOn' };
		const { out, error } = await run('waitForEdit', ['a'], parameters);
		expect(error).toBeUndefined();
		expect(out[0].json).toMatchObject({ editId: 'a', status: 'EDITING', finished: false });
	});

	it('ends at once when the execution is stopped', async () => {
		script = { '/v2/edits/a': [status('a', 'EDITING')] };
		const items = [{ json: { editId: 'a' } }];
		const started = Date.now();
		const result = await runChain(service, chain({ type: 'waitForEdit' }), items, {
			onStart: (stop) => {
				void stopAfterFirstPoll(stop);
			},
		});
		expect(result.status).toBe('canceled');
		// Half an hour of waiting takes 90 s at the test's speed.
		expect(Date.now() - started).toBeLessThan(20_000);
	});

	it('refuses an empty id at once, before it waits for anything', async () => {
		const { error } = await run('waitForEdit', ['']);
		expect(error?.message).toMatch(/'Edit ID' cannot be used: it is empty/);
		expect(service.seen).toEqual([]);
	});

	it.each<[string, INodeParameters]>([
		['Maximum Wait', { maximumWaitMinutes: '={{ "half an hour" }}' }],
		['First Poll After', { options: { firstPollDelaySeconds: '={{ "30 s" }}' } }],
		['Poll Interval', { options: { pollIntervalSeconds: '={{ null }}' } }],
	])('refuses a %s that is no number', async (label, parameters) => {
		const { error } = await run('waitForEdit', ['a'], parameters);
		expect(error?.message).toMatch(new RegExp(`'${label}.*' is not a number`));
		expect(service.seen).toEqual([]);
	});

	it('says what is wrong with the key, once', async () => {
		script = { '/v2/edits/a': [{ status: 401, body: { detail: 'no' } }] };
		const { error } = await run('waitForEdit', ['a']);
		expect(error?.message).toMatch(/wait for edit a: the API key was not accepted/);
		expect(service.seen).toHaveLength(1);
	});
});

async function stopAfterFirstPoll(stop: () => void): Promise<void> {
	while (service.seen.length === 0) await sleep(20);
	stop();
}

describe('Get Result', () => {
	it('downloads the edited file under its name, without the key', async () => {
		script = { '/v2/edits/a': [finished('a')], '/download/a': [FILE_ANSWER] };
		const { out } = await run('getResult', ['a']);
		const { data } = out[0].binary!;
		expect(data).toMatchObject({ fileName: 'episode-edited.mp3', mimeType: 'audio/mpeg' });
		expect((await readFile(data)).toString()).toBe('bytes of a file');
		const download = service.seen.find(({ path }) => path.startsWith('/download/'));
		expect(download?.headers).not.toHaveProperty('x-api-key');
	});

	it('puts merged audio and markers into fields of their own', async () => {
		const result = {
			filename: 'all.wav',
			merged_audio_url: [`${service.url}/merged/m.wav?signature=x`],
			timestamps_markers_urls: [`${service.url}/markers/m.txt`],
			download_url: `${service.url}/download/a`,
		};
		const disposition = { 'Content-Disposition': "attachment; filename*=UTF-8''m%C3%A9rged.wav" };
		script = {
			'/v2/edits/a': [status('a', 'SUCCESS', result)],
			'/merged/m.wav': [{ ...FILE_ANSWER, headers: { ...FILE_ANSWER.headers, ...disposition } }],
			'/markers/m.txt': [FILE_ANSWER],
		};
		const { out } = await run('getResult', ['a'], {
			download: ['merged', 'markers'],
			binaryPropertyName: 'audio',
		});
		const names = Object.entries(out[0].binary!).map(([field, file]) => [field, file.fileName]);
		expect(names).toEqual([
			['audio_merged_1', 'mérged.wav'],
			['audio_markers_1', 'm.txt'],
		]);
	});

	it('gives the links only, if nothing is to be downloaded', async () => {
		script = { '/v2/edits/a': [finished('a')] };
		const { out } = await run('getResult', ['a'], { download: [] });
		expect(out[0].binary).toBeUndefined();
		expect(out[0].json.downloadUrl).toContain('/download/a');
	});

	it('waits a little for a result that comes after SUCCESS', async () => {
		script = {
			'/v2/edits/a': [status('a', 'SUCCESS'), status('a', 'SUCCESS'), finished('a')],
			'/download/a': [FILE_ANSWER],
		};
		const { out } = await run('getResult', ['a']);
		expect(out[0].binary?.data.fileName).toBe('episode-edited.mp3');
	});

	it.each<[string, Answer, RegExp, RegExp]>([
		[
			'is not finished',
			status('a', 'EDITING'),
			/Edit a is not finished yet: its status is EDITING/,
			/Wait For Edit node before/,
		],
		[
			'may not exist',
			status('a', 'PENDING'),
			/its status is PENDING/,
			/unknown, deleted or expired/,
		],
		['failed', status('a', 'FAILURE'), /ended with status FAILURE/, /create a new edit/],
		[
			'has no file',
			status('a', 'SUCCESS', { statistics: {} }),
			/no edited file to download/,
			/Run this node again/,
		],
	])('says so when the edit %s', async (_name, answer, message, advice) => {
		script = { '/v2/edits/a': [answer] };
		const { error } = await run('getResult', ['a']);
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(advice);
	});

	it('says that a link expired, without the link’s secret', async () => {
		script = {
			'/v2/edits/a': [finished('a')],
			'/download/a': [{ status: 403, body: { detail: 'expired' } }],
		};
		const { error } = await run('getResult', ['a']);
		expect(error?.message).toMatch(
			/download the edited file of edit a: the download link is not valid.*403.*expired/,
		);
		expect(JSON.stringify([error?.message, error?.description])).not.toContain('link-secret');
	});
});

describe('Delete', () => {
	it('deletes each edit and says so', async () => {
		script = { '/v2/edits/a': [{ body: {} }], '/v2/edits/b%3A1': [{ body: 'gone' }] };
		const { out } = await run('delete', ['a', 'b:1']);
		expect(out.map(({ json }) => json)).toEqual([
			{ deleted: true, editId: 'a' },
			{ deleted: true, editId: 'b:1' },
		]);
		expect(service.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
			'DELETE /v2/edits/a',
			'DELETE /v2/edits/b%3A1',
		]);
	});

	it.each(['', '../account', 'a/b'])('refuses the id %j before any request', async (editId) => {
		const { error } = await run('delete', [editId]);
		expect(error?.message).toMatch(/'Edit ID' cannot be used/);
		expect(service.seen).toEqual([]);
	});
});

describe('answers that are not the service’s', () => {
	it.each<[string, Answer, RegExp]>([
		[
			'a web page',
			{ body: '<!doctype html><html>Hi</html>' },
			/this base URL answers with a web page/,
		],
		['another JSON', { body: { hello: 1 } }, /not what the interface promises/],
		[
			'a redirect',
			{ status: 302, headers: { Location: 'https://other.example/x?token=t' } },
			/redirects to other\.example/,
		],
	])('%s', async (_name, answer, message) => {
		script = { '/v2/edits/a': [answer] };
		const { error } = await run('getResult', ['a']);
		expect(error?.message).toMatch(message);
		expect(error?.message).not.toContain('token');
	});
});
