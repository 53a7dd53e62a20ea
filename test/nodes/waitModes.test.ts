/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they listen on loopback */
import { request } from 'http';
import type { INodeParameters } from 'n8n-workflow';

import { systemTime } from '../../api/time';
import { failureOf } from '../support/failures';
import { itemsOf, readFile } from '../support/n8nEngine';
import { makeRecording } from '../support/recording';
import { openResumeUrl, put, throughDatabase } from '../support/resumeUrl';
import type { Answer } from '../support/scriptedService';
import { useService } from '../support/useService';
import { chain, runChain } from '../support/workflows';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

let statuses: Record<string, string[]> = {};

const service = useService(({ method, path }, number): Answer => {
	const editId = path.split('/').pop()!;
	if (method === 'DELETE') return { body: {} };
	if (method === 'POST') return { body: { id: 'a' } };
	const script = statuses[editId] ?? ['PENDING'];
	const status = script[Math.min(number, script.length) - 1];
	const result = status === 'SUCCESS' ? { download_url: 'https://files.example.com/a' } : undefined;
	return { body: { task_id: editId, status, result } };
});

const edits = (...editIds: string[]) => editIds.map((editId) => ({ json: { editId } }));

describe('Hand Over When Time Is Up', () => {
	const parameters: INodeParameters = { whileWaiting: 'handOver', maximumWaitMinutes: 1 };

	it('sends finished and unfinished edits to two outputs', async () => {
		statuses = { a: ['SUCCESS'], b: ['EDITING'] };
		const items = [
			{ json: { editId: 'a' } },
			{ json: { editId: 'b', submittedAt: '2026-01-01T00:00:00.000Z' } },
		];
		const run = await runChain(service, chain({ type: 'waitForEdit', parameters }), items);
		expect(run.data.resultData.error).toBeUndefined();
		expect(itemsOf(run, 'waitForEdit', 0).map(({ json }) => json)).toMatchObject([
			{ editId: 'a', finished: true, status: 'SUCCESS' },
		]);
		const [running] = itemsOf(run, 'waitForEdit', 1);
		expect(running).toMatchObject({
			json: {
				editId: 'b',
				finished: false,
				status: 'EDITING',
				submittedAt: '2026-01-01T00:00:00.000Z',
			},
			pairedItem: { item: 1 },
		});
	});

	it('has a third output for failed items if set to', async () => {
		statuses = { a: ['SUCCESS'], b: ['EDITING'], c: ['FAILURE'] };
		const settings = { onError: 'continueErrorOutput' as const };
		const workflow = chain({ type: 'waitForEdit', parameters, settings });
		const run = await runChain(service, workflow, edits('a', 'b', 'c'));
		const ids = [0, 1].map((output) =>
			itemsOf(run, 'waitForEdit', output).map(({ json }) => json.editId),
		);
		expect(ids).toEqual([['a'], ['b']]);
		const [failed] = itemsOf(run, 'waitForEdit', 2);
		expect(failureOf(failed)?.message).toMatch(/Edit c ended with status FAILURE/);
	});
});

describe('When Stopped', () => {
	const stopAfterFirstPoll = async (stop: () => void) => {
		while (service.seen.length === 0) await systemTime.sleep(100);
		stop();
	};

	it.each([
		['leave', 0],
		['delete', 1],
	])('%s deletes %d edits', async (whenStopped, deletions) => {
		statuses = { a: ['EDITING'] };
		const workflow = chain({ type: 'waitForEdit', parameters: { options: { whenStopped } } });
		const run = await runChain(service, workflow, edits('a'), {
			onStart: (stop) => void stopAfterFirstPoll(stop),
		});
		expect(run.status).toBe('canceled');
		await systemTime.sleep(300_000);
		const deleted = service.seen.filter(({ method }) => method === 'DELETE');
		expect(deleted.map(({ path }) => path)).toEqual(Array(deletions).fill('/v2/edits/a'));
		for (const { headers } of deleted) expect(headers['x-api-key']).toBe(service.apiKey);
	});
});

it('points out an edit that stays PENDING once, and continues', async () => {
	statuses = { a: [...Array<string>(8).fill('PENDING'), 'SUCCESS'] };
	const warnings: string[] = [];
	const options = { pendingNoticeMinutes: 1 };
	const run = await runChain(
		service,
		chain({ type: 'waitForEdit', parameters: { options } }),
		edits('a'),
		{
			onLog: ({ level, message }) => level === 'warn' && warnings.push(message),
		},
	);
	expect(itemsOf(run, 'waitForEdit')[0].json.finished).toBe(true);
	expect(warnings).toEqual([
		expect.stringMatching(/edit a is PENDING.*unknown, deleted or expired/),
	]);
	const { hints } = run.data.resultData.runData.waitForEdit[0];
	expect(hints).toEqual([expect.objectContaining({ message: expect.stringContaining('edit a:') })]);
});

/** What the service delivers. */
const FILE = makeRecording({ partsSeconds: [0.1] });

describe('Park Until Delivered', () => {
	const wait = {
		type: 'waitForEdit',
		parameters: { whileWaiting: 'park', maximumWaitMinutes: 10 },
	};
	const workflow = chain(
		{ type: 'createEdit', parameters: { options: { deliverHere: true } } },
		wait,
		{ type: 'fixedItems', name: 'After' },
	);
	workflow.nodes[3].type = 'n8n-nodes-base.noOp';
	workflow.nodes[3].disabled = true;
	const items = [{ json: { fileUrl: 'https://files.example.com/talk.wav' } }];

	async function park() {
		const run = await runChain(service, workflow, items);
		expect(run.status).toBe('waiting');
		return throughDatabase(run);
	}

	it('sleeps in the database, takes the file, and continues', async () => {
		const { url, close, woken } = await openResumeUrl(service, workflow, await park());
		expect(await put(url, FILE)).toBe(200);
		close();
		const [item] = itemsOf(await woken[0], 'After');
		expect(item.json).toEqual({
			editId: 'a',
			finished: true,
			delivered: true,
			fileName: 'talk-edited.mp3',
			sourceFileName: 'talk.wav',
			sizeBytes: FILE.length,
		});
		expect(item.binary?.data).toMatchObject({
			fileName: 'talk-edited.mp3',
			mimeType: 'audio/mpeg',
		});
		expect(await readFile(item.binary!.data)).toEqual(FILE);
	});

	it('answers an empty PUT with an error and stays asleep', async () => {
		const { url, close, woken } = await openResumeUrl(service, workflow, await park());
		expect(await put(url, Buffer.alloc(0))).toBe(400);
		expect(woken).toEqual([]);
		expect(await put(url, FILE)).toBe(200);
		expect(woken).toHaveLength(1);
		close();
	});

	it('does not wake up for a PUT that breaks off', async () => {
		const { url, close, taken } = await openResumeUrl(service, workflow, await park());
		const message = request(url, { method: 'PUT', headers: { 'Content-Length': 1_000 } });
		message.on('error', () => {});
		await new Promise((sent) => message.write('only the beginning', sent));
		await new Promise((closed) => message.once('close', closed).destroy());
		expect(await put(url, FILE)).toBe(200);
		expect(await Promise.all(taken)).toEqual([false, true]);
		close();
	});

	it('passes the item on as still running when the time is up', async () => {
		const run = await runChain(service, workflow, items);
		const minutes = (new Date(run.waitTill!).getTime() - systemTime.timeOfDay()) / 60_000;
		expect(minutes).toBeGreaterThan(9.9);
		expect(minutes).toBeLessThanOrEqual(10);
		const resumed = await runChain(service, workflow, [], { resumeFrom: throughDatabase(run) });
		expect(itemsOf(resumed, 'After').map(({ json }) => json)).toEqual([
			expect.objectContaining({ editId: 'a', finished: false, sourceFileName: 'talk.wav' }),
		]);
	});

	it('refuses more than one item and says what to do instead', async () => {
		const { data } = await runChain(service, chain(wait), edits('a', 'b'));
		expect(data.resultData.error?.message).toMatch(
			/can park for only one edit, but there are 2 items/,
		);
		expect(data.resultData.error?.description).toMatch(/Execute Sub-workflow/);
	});
});
