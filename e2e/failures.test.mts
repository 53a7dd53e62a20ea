/** How n8n treats failed items, and what a retry repeats. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import type { INode } from 'n8n-workflow';

import type { SeenRequest } from '../testkit/service/fake/scriptedService.ts';
import { startHost } from './support/host.mts';
import { type Link, START, code, ours } from './support/nodes.mts';
import { failureOf, itemsOf, onlyOne, textOf } from './support/outputs.mts';
import { chain } from './support/workflowFiles.mts';

const { editor, scripted } = await startHost('failures');

/** Parameters with which our nodes neither wait nor download. */
const QUICK: Readonly<Record<string, INode['parameters']>> = {
	getResult: { download: [] },
	waitForEdit: { advanced: { firstPollDelaySeconds: 0 } },
};

/** Returns one of our nodes that takes no time, named after its type. */
function quick(type: string, more: Partial<INode> = {}): Link {
	return ours(type, { parameters: QUICK[type] ?? {}, ...more });
}

/** Returns items with these names, each with all that our nodes read: a file, a URL, an edit ID. */
function recordings(...names: string[]): Link {
	const items = names.map((name) => ({
		json: {
			name,
			sourceFileName: `${name}.wav`,
			fileUrl: `https://files.example.com/${name}.wav`,
			editId: `edit-${name}`,
		},
		binary: { data: { data: 'UklGRg==', mimeType: 'audio/wav', fileName: `${name}.wav` } },
	}));
	return code('Recordings', `return ${JSON.stringify(items)};`);
}

const isAboutBad = ({ path, body }: SeenRequest) => `${path} ${body}`.includes('bad');

const fileNamedIn = (body: string) => /(\w+)\.wav/.exec(body)?.[1] ?? '';

/** Starts a service that refuses everything named bad. An edit's id names the file it was created from. */
async function startPicky() {
	const picky = await scripted((request) => {
		const { method, path, body } = request;
		const task_id = path.split('/').at(-1);
		const result = { filename: 'a.wav', download_url: 'https://files.example.com/a.wav' };
		const isBad = isAboutBad(request);
		if (method === 'GET' && isBad) return { body: { task_id, status: 'FAILURE' } };
		if (method === 'GET') return { body: { task_id, status: 'SUCCESS', result } };
		if (isBad) return { status: 422, body: { detail: 'not this one' } };
		if (path.startsWith('/v2/upload')) return { body: { signedUrl: `${picky.url}/store?s=1` } };
		return { body: { id: `edit-of-${fileNamedIn(body)}` } };
	});
	return picky;
}

const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };

describe('a failed item keeps its fields, its edit and the advice on the error output', () => {
	for (const type of ['upload', 'createEdit', 'waitForEdit', 'getResult', 'delete']) {
		test(`of ${type}, which Retry On Fail does not run again`, async () => {
			const { credential, seen } = await startPicky();
			const node = quick(type, { onError: 'continueErrorOutput', ...RETRY });
			// n8n decides on a retry by the first item.
			const links = [START, recordings('bad', 'good'), node];
			const failures = chain('Failures', credential, links);
			const execution = await editor.reached(await editor.started(failures));
			assert.equal(itemsOf(execution, type).length, 1, failureOf(execution));
			const { json, pairedItem } = onlyOne(itemsOf(execution, type, 1));
			assert.equal(seen.filter(isAboutBad).length, 1);
			assert.deepEqual(pairedItem, { item: 0 });
			const { name, sourceFileName, editId, error } = json;
			assert.deepEqual(
				{ name, sourceFileName, editId, error },
				{ name: 'bad', sourceFileName: 'bad.wav', editId: 'edit-bad', error: undefined },
			);
			const { message = '', description = '' } = json['failure'] as Record<string, string>;
			assert.match(message, /bad\.wav/);
			if (!['upload', 'createEdit'].includes(type)) assert.match(message, /edit-bad/);
			assert.ok(description.length > 30, description);
		});
	}
});

test("n8n's retry, with another On Error, charges no edit twice and creates the missing ones", async () => {
	const { credential, seen } = await startPicky();
	const links = [START, recordings('first', 'bad', 'last'), quick('createEdit')];
	const workflow = chain('To retry', credential, links);
	const id = await editor.createWorkflow(workflow);
	const failed = await editor.reached(await editor.run(id, START.name));
	assert.match(failureOf(failed), /error at .*bad\.wav.*Continue \(using error output\)/s);
	const nodes = workflow.nodes.map((node) =>
		node.name === 'createEdit' ? { ...node, onError: 'continueErrorOutput' as const } : node,
	);
	await editor.change(id, { ...workflow, nodes });
	await editor.ask('POST', `/rest/executions/${failed.id}/retry`, { loadWorkflow: true });
	// Not every n8n names the new execution.
	const [newest] = await editor.executionsOf(id);
	assert.notEqual(newest.id, failed.id, 'it was not retried');
	const execution = await editor.reached(newest.id);
	const editIds = itemsOf(execution, 'createEdit').map((item) => textOf(item, 'editId'));
	assert.deepEqual(editIds, ['edit-of-first', 'edit-of-last'], failureOf(execution));
	assert.equal(itemsOf(execution, 'createEdit', 1).length, 1);
	const submitted = seen.map(({ body }) => fileNamedIn(body));
	assert.deepEqual(submitted, ['first', 'bad', 'bad', 'last']);
});
