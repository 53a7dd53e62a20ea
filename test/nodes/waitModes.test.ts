/* eslint-disable @n8n/community-nodes/no-restricted-imports -- the tests are no community node: they listen on loopback */
import { once } from 'events';
import { type Server, createServer, request } from 'http';
import type { IRun, IRunExecutionData, INodeParameters } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import type { AddressInfo } from 'net';

import { systemTime } from '../../api/time';
import { deliver } from '../support/deliver';
import { failureOf } from '../support/failures';
import { itemsOf, readFile, startEngine } from '../support/n8nEngine';
import {
	type Answer,
	type ScriptedService,
	startScriptedService,
} from '../support/scriptedService';
import { chain, runChain } from '../support/workflows';

// n8n's database keeps executions as flatted; JSON would hide what does not survive that.
type Flatted = typeof import('flatted', { with: { 'resolution-mode': 'import' } });
const { parse, stringify } = jest.requireActual<Flatted>('flatted');

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

let service: ScriptedService;
let statuses: Record<string, string[]> = {};

beforeAll(async () => {
	await startEngine();
	service = await startScriptedService(({ method, path }, number): Answer => {
		const editId = path.split('/').pop()!;
		if (method === 'DELETE') return { body: {} };
		const script = statuses[editId] ?? ['PENDING'];
		const status = script[Math.min(number, script.length) - 1];
		const result =
			status === 'SUCCESS' ? { download_url: 'https://files.example.com/a' } : undefined;
		return { body: { task_id: editId, status, result } };
	});
});

beforeEach(() => {
	service.seen.length = 0;
});

afterAll(async () => {
	await service.stop();
});

const edits = (...editIds: string[]) => editIds.map((editId) => ({ json: { editId } }));

/** What n8n's database does to an execution between parking and waking up. */
function throughDatabase(run: IRun): IRunExecutionData {
	return parse(stringify(run.data)) as IRunExecutionData;
}

describe('Hand Over When Time Is Up', () => {
	const parameters: INodeParameters = { whileWaiting: 'handOver', maximumWaitMinutes: 1 };

	it('gives out what is finished and what still runs by two outputs', async () => {
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

	it('has a third output for failed items when it is set to', async () => {
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
		while (service.seen.length === 0) await sleep(20);
		stop();
	};

	it.each([
		['leave', 0],
		['delete', 1],
	])('%s: so many edits are deleted: %d', async (whenStopped, deletions) => {
		statuses = { a: ['EDITING'] };
		const workflow = chain({ type: 'waitForEdit', parameters: { options: { whenStopped } } });
		const run = await runChain(service, workflow, edits('a'), {
			onStart: (stop) => void stopAfterFirstPoll(stop),
		});
		expect(run.status).toBe('canceled');
		await sleep(500);
		const deleted = service.seen.filter(({ method }) => method === 'DELETE');
		expect(deleted.map(({ path }) => path)).toEqual(Array(deletions).fill('/v2/edits/a'));
		for (const { headers } of deleted) expect(headers['x-api-key']).toBe(service.apiKey);
	});
});

it('points out an edit that is PENDING for ever, once, and goes on', async () => {
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

describe('Park Until Delivered', () => {
	const workflow = chain(
		{ type: 'waitForEdit', parameters: { whileWaiting: 'park', maximumWaitMinutes: 10 } },
		{ type: 'fixedItems', name: 'After' },
	);
	workflow.nodes[2].type = 'n8n-nodes-base.noOp';
	workflow.nodes[2].disabled = true;

	/** n8n's side of the resume URL: a server that hands the PUT to the parked node. */
	async function openResumeUrl(parked: IRunExecutionData) {
		const woken: IRun[] = [];
		const server: Server = createServer((message, response) => {
			void deliver(workflow, parked, message, response).then(async (woke) => {
				if (!woke) return;
				woken.push(await runChain(service, workflow, [], { resumeFrom: parked }));
				response.end();
			});
		});
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server, woken };
	}

	async function put(url: string, body: Buffer, headers: Record<string, string | number> = {}) {
		const message = request(url, {
			method: 'PUT',
			headers: { 'Content-Type': 'audio/mpeg', 'Content-Length': body.length, ...headers },
		});
		message.end(body);
		const [response] = (await once(message, 'response')) as [
			{ statusCode: number; resume(): void },
		];
		response.resume();
		return response.statusCode;
	}

	async function park() {
		const run = await runChain(service, workflow, edits('a'));
		expect(run.status).toBe('waiting');
		return throughDatabase(run);
	}

	it('sleeps in the database, takes the file, and goes on', async () => {
		const { url, server, woken } = await openResumeUrl(await park());
		expect(await put(url, Buffer.from('the edited file'))).toBe(200);
		server.close();
		const [item] = itemsOf(woken[0], 'After');
		expect(item.json).toEqual({
			editId: 'a',
			finished: true,
			delivered: true,
			fileName: 'a.mp3',
			sizeBytes: 15,
		});
		expect(item.binary?.data).toMatchObject({ fileName: 'a.mp3', mimeType: 'audio/mpeg' });
		expect((await readFile(item.binary!.data)).toString()).toBe('the edited file');
	});

	it('answers an empty PUT with an error and goes on sleeping', async () => {
		const { url, server, woken } = await openResumeUrl(await park());
		expect(await put(url, Buffer.alloc(0))).toBe(400);
		expect(woken).toEqual([]);
		expect(await put(url, Buffer.from('second try'))).toBe(200);
		expect(woken).toHaveLength(1);
		server.close();
	});

	it('does not wake up for a PUT that breaks off', async () => {
		const { url, server, woken } = await openResumeUrl(await park());
		const message = request(url, { method: 'PUT', headers: { 'Content-Length': 1_000 } });
		message.on('error', () => {});
		message.write('only the beginning');
		await sleep(200);
		message.destroy();
		await sleep(300);
		expect(woken).toEqual([]);
		expect(await put(url, Buffer.from('whole'))).toBe(200);
		server.close();
	});

	it('passes the item on as still running when the time is up', async () => {
		const run = await runChain(service, workflow, edits('a'));
		const minutes = (new Date(run.waitTill!).getTime() - systemTime.timeOfDay()) / 60_000;
		expect(minutes).toBeGreaterThan(9.9);
		expect(minutes).toBeLessThanOrEqual(10);
		const resumed = await runChain(service, workflow, [], { resumeFrom: throughDatabase(run) });
		expect(itemsOf(resumed, 'After').map(({ json }) => json)).toEqual([
			{ editId: 'a', finished: false },
		]);
	});

	it('refuses more than one item with the way out', async () => {
		const { data } = await runChain(service, workflow, edits('a', 'b'));
		expect(data.resultData.error?.message).toMatch(/one item in an execution, and there are 2/);
		expect(data.resultData.error?.description).toMatch(/Execute Sub-workflow/);
	});
});
