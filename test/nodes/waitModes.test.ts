/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they listen on loopback */
import { request } from 'http';
import type { INodeParameters } from 'n8n-workflow';

import { systemTime } from '../../api/time';
import { failureOf } from '../support/failures';
import { itemsOf } from '../support/n8nEngine';
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
});
