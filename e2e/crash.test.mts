/** kill -9 of n8n: nothing is lost, and what was charged is not charged again. */
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { eventually } from '../testkit/time/eventually.mts';
import { TALK_WAV, assertEditedTalk, publishRecording } from './support/audio.mts';
import { startHost } from './support/host.mts';
import {
	MANUAL,
	START,
	createEdit,
	fileReader,
	ours,
	recordingAt,
	waitForEdit,
} from './support/nodes.mts';
import { failureOf, fileOf, itemOf, itemsOf, textOf } from './support/outputs.mts';
import type { Execution } from './support/pages/editor.mts';
import { chain } from './support/workflowFiles.mts';

/** Each state of an edit lasts long enough for n8n to be back before the end. */
const SLOW = ['--min-state-seconds', '7'];

const NODE = 'Audio Editing';

const ALL = ['a.wav', 'b.wav', 'c.wav', 'd.wav', 'e.wav'];

const host = await startHost('crash', { flags: SLOW });
const { editor, credential, sandbox, n8n } = host;
const url = await publishRecording(sandbox);
const inbox = join(sandbox.home, '.n8n-files', 'inbox');
await mkdir(inbox, { recursive: true });
let isKilled = false;
/** The service takes the third edit of the folder, and n8n never learns of it. */
const proxy = await host.counted(() => submitted() === 3 && !isKilled);

const waiting = await startWaiting();
const durable = await startDurable();
await put('a', 'b', 'c');
const folderId = await editor.createWorkflow(editsFolder('fail'));
const folder = await editor.run(folderId, START.name);
const editId = await eventually('the edit of the waiting execution is in the log', async () => {
	const created = new RegExp(`edit ([0-9a-f-]{36}).* was created in execution ${waiting}$`, 'm');
	return created.exec(await readFile(n8n.log, 'utf8'))?.[1];
});
await eventually('the durable execution sleeps', async () => {
	return (await editor.execution(durable)).status === 'waiting' || undefined;
});
// n8n asks about an edit after it has stored that it submitted it.
await eventually('two edits of the folder are stored, and n8n waits for the third response', () => {
	return (submitted() === 3 && new Set(proxy.paths('GET')).size >= 2) || undefined;
});
await host.killN8n(() => (isKilled = true));

/** Starts a workflow that waits in memory, as most do. @returns the execution's id */
async function startWaiting(): Promise<string> {
	const links = [START, createEdit({ fileUrls: url }), waitForEdit()];
	const workflow = chain('Waits', credential, links);
	const settings = { ...workflow.settings, saveExecutionProgress: true };
	return await editor.started({ ...workflow, settings });
}

async function startDurable(): Promise<string> {
	const changes = { 'Sleep in the database': { amount: 66, unit: 'seconds' } };
	const workflow = await host.imported('durable-wait.json', { ...changes, ...recordingAt(url) });
	return await editor.started(workflow, MANUAL);
}

/** Returns a workflow that edits what is new in the folder, and skips what it knows by name and size. */
function editsFolder(ifUncertain: 'fail' | 'skip', name = NODE) {
	const costAndSafety = { skipEdited: 'nameAndSize', ifUncertain };
	const node = ours('audioEditing', {
		id: 'c6a1f5e0-0000-4000-8000-000000000002',
		name,
		onError: 'continueErrorOutput',
		parameters: { costAndSafety, advanced: { firstPollDelaySeconds: 0 } },
	});
	return chain('Folder', proxy.credential, [START, fileReader(join(inbox, '*.wav')), node]);
}

/** Returns how many edits of the folder the service has accepted. */
function submitted(): number {
	return proxy.paths('POST').filter((path) => path === '/v2/edits').length;
}

async function put(...names: string[]): Promise<void> {
	for (const name of names) await writeFile(join(inbox, `${name}.wav`), TALK_WAV);
}

/** Returns which recordings left by each output: edited, skipped, failed. */
function outputsOf(execution: Execution, node = NODE): string[][] {
	return [0, 1, 2].map((output) =>
		itemsOf(execution, node, output).map((item) => textOf(item, 'sourceFileName')),
	);
}

test('while Wait For Edit keeps running: the execution crashes, and n8n has saved the edit ID', async () => {
	const execution = await editor.reached(waiting);
	assert.equal(execution.status, 'crashed');
	assert.equal(textOf(itemOf(execution, 'Audio Editing Create Edit'), 'editId'), editId);
	// The edit itself continues, and Get Result can fetch it in another execution.
	await host.succeeded(editId);
});

test('during the durable wait: it finishes with the right file', async () => {
	const execution = await editor.reached(durable);
	assert.equal(execution.status, 'success');
	const { content } = await fileOf(editor, itemOf(execution, 'Audio Editing Get Result'));
	await assertEditedTalk(content, { isShorter: false });
});

/** Runs the folder until n8n no longer takes the dead process for one that is still at work: for a minute at most. */
async function runFolder(node = NODE): Promise<Execution> {
	return await eventually('the folder is free', async () => {
		const execution = await editor.reached(await editor.run(folderId, START.name));
		const codes = itemsOf(execution, node, 1).map(({ json }) => json['skipCode']);
		return codes.includes('inWork') ? undefined : execution;
	});
}

test('while a folder is edited: the next execution fetches what was submitted, and edits what is new', async () => {
	assert.equal((await editor.reached(folder)).status, 'crashed');
	await put('d', 'e');
	const second = await runFolder();
	const [edited = [], skipped = [], failed = []] = outputsOf(second);
	assert.deepEqual(edited.length, 4, failureOf(second));
	assert.deepEqual(skipped, []);
	assert.equal(failed.length, 1, 'only what n8n never learned of is uncertain');
	assert.deepEqual([...edited, ...failed].toSorted(), ALL);
	const uncertain = JSON.stringify(itemOf(second, NODE, 2).json['failure']);
	assert.match(uncertain, /of it may have been accepted.*'If Uncertain' set to 'Skip'/);
	for (const item of itemsOf(second, NODE)) {
		await assertEditedTalk((await fileOf(editor, item)).content, { isShorter: false });
	}
	assert.equal(submitted(), 5);
});

test('a person skips the uncertain edit, the renamed node remembers all, and nothing is charged twice', async () => {
	const name = 'Send to the service';
	await editor.change(folderId, editsFolder('skip', name));
	const [edited = [], skipped = [], failed = []] = outputsOf(await runFolder(name), name);
	assert.deepEqual(failed, []);
	// A test run of the editor fetches again what a test run has fetched before.
	assert.deepEqual([...edited, ...skipped].toSorted(), ALL);
	assert.equal(host.submitted().length, 2 + ALL.length);
});
