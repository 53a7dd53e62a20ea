/** kill -9 of n8n while the one node edits a folder: what was charged is not charged again. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { TALK_WAV, assertEditedTalk } from './support/audio.mts';
import { bar } from './support/bars.mts';
import { startCountingProxy } from './support/countingProxy.mts';
import type { Execution } from './support/pages/editor.mts';
import { startHost } from './support/host.mts';
import { startN8n } from './support/n8nServer.mts';
import { failureOf, fileOf, itemOf, itemsOf, textOf } from './support/outputs.mts';
import { eventually } from '../test/support/eventually.mts';
import { type Link, START, ended, ours } from './support/pickyService.mts';
import { chain } from './support/workflowFiles.mts';

const NODE = 'Audio Editing';

const { editor, sandbox, service, n8n } = await startHost('audio-editing-crash');

let isKilled = false;

/** The service takes the third edit, and n8n never learns of it. */
const proxy = await startCountingProxy(sandbox, service.url, () => submitted() === 3 && !isKilled);

const credential = await editor.createCredential('Behind the proxy', {
	baseUrl: proxy.url,
	apiKey: service.apiKey,
});

const inbox = join(sandbox.home, '.n8n-files', 'inbox');
await mkdir(inbox, { recursive: true });

const READER: Link = {
	name: 'Read the inbox',
	type: 'n8n-nodes-base.readWriteFile',
	typeVersion: 1,
	parameters: { fileSelector: join(inbox, '*.wav'), options: {} },
};

/** Returns the nodes that edit what is new in the folder, and skip what they know by name and size. */
function nodesWith(ifUncertain: 'fail' | 'skip') {
	const node = ours('audioEditing', {
		id: 'c6a1f5e0-0000-4000-8000-000000000002',
		name: NODE,
		onError: 'continueErrorOutput',
		parameters: {
			options: { skipEdited: 'nameAndSize', ifUncertain, firstPollDelaySeconds: 0 },
		},
	});
	return chain('New recordings', credential, [START, READER, node]);
}

const workflowId = await editor.createWorkflow(nodesWith('fail'));

function submitted(): number {
	return proxy.exchanges.filter(({ method, path }) => method === 'POST' && path === '/v2/edits')
		.length;
}

/** Returns how many edits n8n has asked about; it has stored by then that it submitted them. */
function polled(): number {
	const polls = proxy.exchanges.filter(({ method }) => method === 'GET').map(({ path }) => path);
	return new Set(polls).size;
}

async function put(...names: string[]): Promise<void> {
	for (const name of names) await writeFile(join(inbox, `${name}.wav`), TALK_WAV);
}

/** Returns which recordings left by each output: edited, skipped, failed. */
function outputsOf(execution: Execution): string[][] {
	return [0, 1, 2].map((output) =>
		itemsOf(execution, NODE, output).map((item) => textOf(item, 'sourceFileName')),
	);
}

async function runAgain(): Promise<Execution> {
	return await ended(editor, await editor.run(workflowId, START.name));
}

test('after kill -9, the next execution skips what was charged and edits what is new', async () => {
	await put('a', 'b', 'c');
	const first = await editor.run(workflowId, START.name);
	await eventually('two edits are at the service, and n8n waits for the third response', () =>
		Promise.resolve(submitted() === 3 && polled() >= 2 ? true : undefined),
	);
	await n8n.kill();
	isKilled = true;
	await startN8n(sandbox, { port: n8n.port });
	await editor.enter();
	assert.equal((await editor.reached(first)).status, 'crashed');

	await put('d', 'e');
	const second = await runAgain();
	const [edited = [], skipped = [], failed = []] = outputsOf(second);
	assert.deepEqual(edited, ['d.wav', 'e.wav'], failureOf(second));
	assert.equal(skipped.length, 2);
	assert.deepEqual([...skipped, ...failed].toSorted(), ['a.wav', 'b.wav', 'c.wav']);
	const uncertain = JSON.stringify(itemOf(second, NODE, 2).json['failure']);
	assert.match(uncertain, /may have been submitted before.*'If Uncertain' set to 'Skip'/);
	for (const item of itemsOf(second, NODE)) {
		await assertEditedTalk((await fileOf(editor, item)).content, { isShorter: false });
	}
	assert.equal(submitted(), 5);
});

test('the person who finds the uncertain edit at the service skips it, and nothing is charged', async () => {
	const path = `/rest/workflows/${workflowId}`;
	const { versionId } = await editor.ask<{ versionId: string }>('GET', path);
	await editor.ask('PATCH', path, { ...nodesWith('skip'), versionId });
	const third = await runAgain();
	const all = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.wav`);
	assert.deepEqual(outputsOf(third), [[], all, []], failureOf(third));
	const edits = submitted();
	bar('edits charged for five recordings across kill -9', edits, '= 5', edits === 5);
});
