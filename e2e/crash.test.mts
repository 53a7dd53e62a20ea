import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '../test/support/eventually.mts';
import { Client } from '../test/service/support/client.mts';
import { assertEditedTalk, publishRecording } from './support/audio.mts';
import { startHost } from './support/host.mts';
import { MANUAL, START, createEdit, recordingAt, waitForEdit } from './support/nodes.mts';
import { fileOf, itemOf, itemsOf, textOf } from './support/outputs.mts';
import { chain } from './support/workflowFiles.mts';

/** Each state of an edit lasts long enough for n8n to be back before the end. */
const SLOW = ['--minimum-state-seconds', '7'];

// push.test.mts kills n8n while an execution is parked for a delivery.
const host = await startHost('crash', { flags: SLOW });
const { editor, credential, sandbox, service, n8n } = host;
const url = await publishRecording(sandbox);
const client = new Client(service.url, service.apiKey);

const kept = await startWaiting('keeps what it did', { saveExecutionProgress: true });
const bare = await startWaiting('keeps nothing', {});
const durable = await startDurable();

await eventually('all are submitted', async () =>
	(await createdEdits()).length === 3 ? true : undefined,
);
await editor.reached(durable, (status) => status === 'waiting');
await host.killN8n();

/** Starts a workflow that waits in memory, as most do. @returns the execution's id */
async function startWaiting(name: string, settings: { saveExecutionProgress?: true }) {
	const links = [START, createEdit({ fileUrls: url }), waitForEdit()];
	const workflow = chain(name, credential, links);
	const id = await editor.createWorkflow({
		...workflow,
		settings: { ...workflow.settings, ...settings },
	});
	return await editor.run(id, START.name);
}

async function startDurable(): Promise<string> {
	const changes = { 'Sleep in the database': { amount: 66, unit: 'seconds' } };
	const workflow = await host.imported('durable-wait.json', { ...changes, ...recordingAt(url) });
	return await editor.run(await editor.createWorkflow(workflow), MANUAL);
}

/** Returns the ids in n8n's log, which has one line for each created edit. */
async function createdEdits(): Promise<string[]> {
	const log = await readFile(n8n.log, 'utf8');
	return [...log.matchAll(/edit ([0-9a-f-]{36}) was created/g)].map(([, id]) => id);
}

describe('kill -9 of n8n', { concurrency: true }, () => {
	test('while Wait For Edit keeps running: the execution crashes, and n8n has saved the edit ID', async () => {
		const execution = await editor.reached(kept);
		assert.equal(execution.status, 'crashed');
		const editId = textOf(itemOf(execution, 'Create Edit'), 'editId');
		// The edit itself continues, and Get Result can fetch it in another execution.
		await eventually('the edit is finished', async () => {
			await sleep(2_000);
			return (await client.edit(editId)).status === 'SUCCESS' ? true : undefined;
		});
	});

	test("without saved progress: the execution crashes, and the edit ID is in n8n's log", async () => {
		const execution = await editor.reached(bare);
		assert.equal(execution.status, 'crashed');
		assert.equal(
			itemsOf(execution, 'Create Edit').some(({ json }) => 'editId' in json),
			false,
		);
		assert.equal(new Set(await createdEdits()).size, 3);
	});

	test('during the durable wait: it finishes with the right file', async () => {
		const execution = await editor.reached(durable);
		assert.equal(execution.status, 'success');
		const { content } = await fileOf(editor, itemOf(execution, 'Get Result'));
		await assertEditedTalk(content, { isShorter: false });
	});

	test('no edit is submitted a second time', async () => {
		for (const id of [kept, bare, durable]) await editor.reached(id);
		assert.equal((await createdEdits()).length, 3);
	});
});
