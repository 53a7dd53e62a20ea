import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { INode } from 'n8n-workflow';

import { publishRecording } from './support/audio.mts';
import { startCountingProxy } from './support/countingProxy.mts';
import type { Execution, NewWorkflow } from './support/pages/editor.mts';
import { startHost } from './support/host.mts';
import { startN8n } from './support/n8nServer.mts';
import { failureOf, itemOf, itemsOf } from './support/outputs.mts';
import { eventually } from '../test/support/eventually.mts';
import { START, ended, ours } from './support/pickyService.mts';
import { chain } from './support/workflowFiles.mts';

const { editor, sandbox, service, n8n } = await startHost('skip');
const url = await publishRecording(sandbox);

let isKilled = false;

/** The service takes the second edit, and n8n never learns of it. */
const proxy = await startCountingProxy(sandbox, service.url, () => submitted() === 2 && !isKilled);

const credential = await editor.createCredential('Behind the proxy', {
	baseUrl: proxy.url,
	apiKey: service.apiKey,
});

/** Returns the nodes for these recordings of a folder. Create Edit knows them by their ID. */
function nodesFor(ids: readonly string[], { ifUncertain = 'fail', name = 'Create Edit' } = {}) {
	const items = ids.map((id) => ({ json: { id, fileUrl: url } }));
	const folder = {
		name: 'Folder',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: { jsCode: `return ${JSON.stringify(items)};` },
	};
	const create = ours('createEdit', {
		id: 'c6a1f5e0-0000-4000-8000-000000000001',
		name,
		parameters: {
			options: { skipEdited: 'value', skipValue: '={{ $json.id }}', ifUncertain },
		},
		onError: 'continueErrorOutput',
	});
	return chain('Skip', credential, [START, folder, create]);
}

const workflowId = await editor.createWorkflow(nodesFor(['a', 'b']));

function submitted(): number {
	return proxy.exchanges.filter(({ method, path }) => method === 'POST' && path === '/v2/edits')
		.length;
}

/** Saves the workflow as a person does in n8n's editor, and runs it to its end. */
async function runAs(workflow: NewWorkflow): Promise<Execution> {
	const path = `/rest/workflows/${workflowId}`;
	const { versionId } = await editor.ask<{ versionId: string }>('GET', path);
	await editor.ask('PATCH', path, { ...workflow, versionId });
	return await ended(editor, await editor.run(workflowId, START.name));
}

/** Returns which recordings left by each output: submitted, skipped, failed. */
function outputsOf(execution: Execution, node: INode['name'] = 'Create Edit'): number[][] {
	return [0, 1, 2].map((output) =>
		itemsOf(execution, node, output).map(({ pairedItem }) =>
			typeof pairedItem === 'object' && 'item' in pairedItem ? pairedItem.item : -1,
		),
	);
}

test('after kill -9, no recording is submitted a second time by itself', async () => {
	const first = await editor.run(workflowId, START.name);
	await eventually('n8n waits for the second response', async () =>
		Promise.resolve(submitted() === 2 ? true : undefined),
	);
	await n8n.kill();
	isKilled = true;
	await startN8n(sandbox, { port: n8n.port });
	await editor.enter();
	assert.equal((await editor.reached(first)).status, 'crashed');

	const second = await runAs(nodesFor(['a', 'b', 'c']));
	assert.deepEqual(outputsOf(second), [[2], [0], [1]], failureOf(second));
	const uncertain = itemOf(second, 'Create Edit', 2);
	assert.match(JSON.stringify(uncertain.json), /may have been submitted before/);
	assert.equal(submitted(), 3);
});

test('the user decides about an uncertain recording, and a renamed node still remembers', async () => {
	const name = 'Send to the service';
	const workflow = nodesFor(['a', 'b', 'c'], { ifUncertain: 'submit', name });
	const third = await runAs(workflow);
	assert.deepEqual(outputsOf(third, name), [[1], [0, 2], []], failureOf(third));
	assert.equal(submitted(), 4);

	const fourth = await runAs(workflow);
	assert.deepEqual(outputsOf(fourth, name), [[], [0, 1, 2], []], failureOf(fourth));
	assert.equal(submitted(), 4);
});
