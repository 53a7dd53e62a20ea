import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';

import type { IDataObject, IWorkflowSettings } from 'n8n-workflow';

import { Client } from '../test/service/support/client.mts';
import { shortRecording } from '../test/service/support/recordings.mts';
import { eventually } from '../test/support/eventually.mts';
import { startLocalService } from '../test/support/localService.ts';
import { publishRecording } from './support/audio.mts';
import { bar } from './support/bars.mts';
import { startCountingProxy } from './support/countingProxy.mts';
import { editLogOf, idsIn } from './support/editLog.mts';
import { startHost } from './support/host.mts';
import { START, code, createEdit, recordingAt, waitForEdit, webhook } from './support/nodes.mts';
import { failureOf, itemsOf } from './support/outputs.mts';
import { openBrowser } from './support/pages/browser.mts';
import { Canvas } from './support/pages/canvas.mts';
import { chain } from './support/workflowFiles.mts';

/*
 * What a person sees of a long run, and what remains of it after Stop. The local service is slow in each
 * state and accepts any number of submissions, so that 300 edits are under way in seconds.
 */

const EDITS = 300;

/** Each state lasts long enough to be seen. */
const SLOW = ['--minimum-state-seconds', '20'];

/** Accepts any number of submissions, and processes few of them. */
const BUSY = [
	...['--submissions-per-minute', '100000', '--status-calls-per-minute', '100000'],
	...['--minimum-state-seconds', '600', '--concurrency', '1', '--most-queued-edits', '2000'],
];

const { sandbox, service, n8n, editor, credential, imported } = await startHost('progress', {
	flags: SLOW,
});
const recording = await publishRecording(sandbox, shortRecording, 'second.wav');

/** Opened before n8n is busy with anything else. */
const { page } = await openBrowser(sandbox, n8n.url);
const canvas = new Canvas(page);

const busy = await startLocalService(BUSY);
sandbox.onEnd(async () => {
	await busy.stop();
});

/** Allows as many submissions a minute as the batches need. */
const unlimited = await editor.createCredential('Unlimited', {
	...{ baseUrl: busy.url, apiKey: busy.apiKey },
	...{ plan: 'custom', submissionsPerMinute: '2000' },
});

const { createdIn, goingOn, logLines } = editLogOf(n8n.log);

const recordings = (count: number) => {
	const item = `{ json: { fileUrl: '${recording}' } }`;
	return code('Recordings', `return Array.from({ length: ${count} }, () => (${item}));`);
};

const CREATE = createEdit({ fileUrls: '={{ $json.fileUrl }}' });

/** Starts a workflow in production by its webhook. @returns the execution's id */
async function startBatch(name: string, settings: IWorkflowSettings): Promise<string> {
	const path = randomUUID();
	const links = [webhook(path), recordings(EDITS), CREATE, waitForEdit()];
	const workflow = chain(name, unlimited, links);
	const all = { ...workflow, settings: { ...workflow.settings, ...settings } };
	const id = await editor.createWorkflow(all);
	await editor.publish(id);
	const response = await fetch(`${n8n.url}/webhook/${path}`, { method: 'POST' });
	assert.ok(response.ok, `${response.status} ${await response.text()}`);
	const started = async () => (await editor.executionsOf(id)).at(-1);
	return (await eventually(`${name} was started`, started)).id;
}

/** Starts a batch, and stops it once all edits are submitted and Wait For Edit is waiting. */
async function stopWhileWaiting(name: string, settings: IWorkflowSettings): Promise<string> {
	const execution = await startBatch(name, settings);
	const hasAll = async () => ((await createdIn(execution)).size === EDITS ? true : undefined);
	await eventually('all edits are submitted', hasAll);
	const waits = `Wait For Edit (execution ${execution}): `;
	await eventually('the wait has logged its progress', async () =>
		(await logLines()).some((line) => line.includes(waits)) ? true : undefined,
	);
	await editor.stop(execution);
	return execution;
}

function testStop(): void {
	test('the log has each of 300 edits submitted in production before Stop', async () => {
		const execution = await stopWhileWaiting('In the log', {});
		const accepted = idsIn(busy.log.filter((line) => / edit \S+ PENDING$/.test(line)));
		const found = [...(await createdIn(execution))].filter((id) => accepted.has(id)).length;
		bar(
			`ids found in the log, of ${EDITS} submitted before Stop`,
			found,
			`${EDITS}`,
			found === EDITS,
		);
		const named = (await goingOn(execution)).size;
		bar('of them named as continuing at Stop', named, `${EDITS}`, named === EDITS);
		const pointer = await eventually('n8n has saved the custom data', async () => {
			const { customData } = (await editor.execution(execution)) as { customData?: IDataObject };
			const value = customData?.['audioEditingEdits'];
			return typeof value === 'string' ? value : undefined;
		});
		assert.match(pointer, /^300 edits: ([0-9a-f-]{36}, ){6}…$/);
	});

	test('the stopped execution has them, too, with Save execution progress', async () => {
		const execution = await stopWhileWaiting('Saved', { saveExecutionProgress: true });
		const kept = itemsOf(await editor.execution(execution), 'Create Edit').length;
		bar(
			'items of Create Edit in the stopped execution, progress saved',
			kept,
			`${EDITS}`,
			kept === EDITS,
		);
	});
}

function testConsole(): void {
	test("the browser's console shows the progress of a manual run, and what continues after Stop", async () => {
		// A different base URL has its own rate limit.
		const { url: baseUrl } = await startCountingProxy(sandbox, busy.url);
		const data = { baseUrl, apiKey: busy.apiKey };
		const standard = await editor.createCredential('Standard', data);
		const said: string[] = [];
		page.on('console', (message) => said.push(message.text()));
		const id = await editor.createWorkflow(
			chain('Console', standard, [START, recordings(40), CREATE, waitForEdit()]),
		);
		await canvas.open(id);
		await canvas.run();
		const progress = await eventually('the console shows the progress', () =>
			said.find((line) => /\d+ of 40 edits submitted/.test(line)),
		);
		console.log(`    ${progress}`);
		assert.match(progress, /30 of 40 edits submitted after \d+ s, the next in \d+ s/);
		const [execution] = await editor.executionsOf(id);
		assert.ok(execution);
		await editor.stop(execution.id);
		assert.equal((await goingOn(execution.id)).size, 30);
		const inConsole = idsIn(said.filter((line) => line.includes('was created')));
		bar(
			"ids in the browser's console, of 30 submitted before Stop",
			inConsole.size,
			'30',
			inConsole.size === 30,
		);
	});
}

function testCanvas(): void {
	test('the output panel says what a parked execution waits for', async () => {
		const workflow = await imported('push-delivery.json', recordingAt(recording));
		const id = await editor.createWorkflow(workflow);
		await canvas.open(id);
		await canvas.run();
		const execution = await editor.parked(id);
		await canvas.openForm('Wait For Edit');
		await canvas.form.getByText('Waiting for the service to deliver').first().waitFor();
		await editor.stop(execution);
	});
}

function testDeletion(): void {
	test('a wait ends within minutes after its edit is deleted during processing', async () => {
		const client = new Client(service.url, service.apiKey);
		const options = { firstPollDelaySeconds: 5, pollIntervalSeconds: 5 };
		const links = [START, createEdit({ fileUrls: recording }), waitForEdit({ options })];
		const workflow = chain('Deleted', credential, links);
		const execution = await editor.run(await editor.createWorkflow(workflow), START.name);
		const editId = await eventually('its processing is seen', async () => {
			const [id] = await createdIn(execution);
			const isSeen = (await logLines()).some((line) =>
				line.includes(`edit ${id} PREPROCESSING after`),
			);
			return isSeen ? id : undefined;
		});
		const deletedAtMs = Date.now();
		await client.call('DELETE', `/v2/edits/${editId}`);
		const failed = failureOf(await editor.reached(execution));
		const seconds = Math.round((Date.now() - deletedAtMs) / 1_000);
		assert.match(
			failed,
			new RegExp(
				`^error at Wait For Edit: Edit ${editId} may have been deleted or may have expired: it was \\w+, and has been PENDING again for`,
			),
		);
		bar('s until the wait for a deleted edit ends', seconds, '<= 150', seconds <= 150);
	});
}

describe('progress and Stop', { concurrency: true }, () => {
	testStop();
	testDeletion();
	// One page, so one test after another.
	describe('in the browser', { concurrency: false }, () => {
		testConsole();
		testCanvas();
	});
});
