/** kill -9 of n8n while the one node edits a folder: what was charged is not charged again. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { eventually } from '../test/support/eventually.mts';
import { TALK_WAV, assertEditedTalk } from './support/audio.mts';
import { bar } from './support/bars.mts';
import { startHost } from './support/host.mts';
import { START, fileReader, ours } from './support/nodes.mts';
import { failureOf, fileOf, itemOf, itemsOf, textOf } from './support/outputs.mts';
import type { Execution } from './support/pages/editor.mts';
import { ended } from './support/pickyService.mts';
import { chain } from './support/workflowFiles.mts';

const NODE = 'Audio Editing';

const { editor, sandbox, counted, killN8n } = await startHost('audio-editing-crash');

let isKilled = false;

/** The service takes the third edit, and n8n never learns of it. */
const proxy = await counted(() => submitted() === 3 && !isKilled);

const inbox = join(sandbox.home, '.n8n-files', 'inbox');
await mkdir(inbox, { recursive: true });

/** Returns the nodes that edit what is new in the folder, and skip what they know by name and size. */
function nodesWith(ifUncertain: 'fail' | 'skip', name = NODE) {
	const node = ours('audioEditing', {
		id: 'c6a1f5e0-0000-4000-8000-000000000002',
		name,
		onError: 'continueErrorOutput',
		parameters: {
			options: { skipEdited: 'nameAndSize', ifUncertain, firstPollDelaySeconds: 0 },
		},
	});
	const links = [START, fileReader(join(inbox, '*.wav')), node];
	return chain('New recordings', proxy.credential, links);
}

const workflowId = await editor.createWorkflow(nodesWith('fail'));

function submitted(): number {
	return proxy.paths('POST').filter((path) => path === '/v2/edits').length;
}

/** Returns how many edits n8n has asked about; it has stored by then that it submitted them. */
function polled(): number {
	return new Set(proxy.paths('GET')).size;
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

async function runAgain(): Promise<Execution> {
	return await ended(editor, await editor.run(workflowId, START.name));
}

test('after kill -9, the next execution skips what was charged and edits what is new', async () => {
	await put('a', 'b', 'c');
	const first = await editor.run(workflowId, START.name);
	await eventually('two edits are on the service, and n8n waits for the third response', () =>
		Promise.resolve(submitted() === 3 && polled() >= 2 ? true : undefined),
	);
	await killN8n(() => (isKilled = true));
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

test('the person skips the uncertain edit, the renamed node remembers all, and nothing is charged', async () => {
	const name = 'Send to the service';
	await editor.change(workflowId, nodesWith('skip', name));
	const third = await runAgain();
	const all = ['a', 'b', 'c', 'd', 'e'].map((recording) => `${recording}.wav`);
	assert.deepEqual(outputsOf(third, name), [[], all, []], failureOf(third));
	const edits = submitted();
	bar('edits charged for five recordings across kill -9', edits, '= 5', edits === 5);
});
