/** The one node that edits from file to file: with tracks, and with many recordings. firstRun.test.mts builds with it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { test } from 'node:test';

import type { INodeExecutionData } from 'n8n-workflow';

import { decodedSeconds } from '../test/service/support/media.mts';
import { makeRecording } from '../test/support/recording.ts';
import { TALK_WAV, assertEditedTalk } from './support/audio.mts';
import { bar } from './support/bars.mts';
import { startHost } from './support/host.mts';
import { type Link, START, fileReader, ours } from './support/nodes.mts';
import { failureOf, fileOf, itemOf, itemsOf, textOf } from './support/outputs.mts';
import { submitForm } from './support/pages/form.mts';
import { ranTo } from './support/pickyService.mts';
import { chain } from './support/workflowFiles.mts';

const NODE = 'Audio Editing';

const { sandbox, service, editor, credential } = await startHost('audio-editing');

/** Returns the edits that the service has accepted so far. */
function submitted(): string[] {
	return service.log.filter((line) => / edit \S+ PENDING$/.test(line));
}

const fileField = (fieldLabel: string) => ({ fieldLabel, fieldType: 'file', multipleFiles: false });

const FORM: Link = {
	name: 'On form submission',
	type: 'n8n-nodes-base.formTrigger',
	typeVersion: 2.2,
	webhookId: randomUUID(),
	parameters: {
		formTitle: 'Two tracks',
		formFields: { values: ['Host', 'Guest'].map(fileField) },
		options: {},
	},
};

test('two files of one item are tracks of one recording, submitted as one edit', async () => {
	const before = submitted().length;
	const node = ours('audioEditing', {
		name: NODE,
		parameters: { recordingFrom: 'all', options: { long_silences: true, merge: true } },
	});
	const files = ['host.wav', 'guest.wav'].map((name) => ({ name, content: TALK_WAV }));
	const execution = await submitForm(editor, chain('Tracks', credential, [FORM, node]), files);
	const item = itemOf(execution, NODE);
	assert.deepEqual(Object.keys(item.binary ?? {}), ['data']);
	await assertEditedTalk((await fileOf(editor, item)).content);
	assert.match(textOf(item, 'sourceFileName'), /host\.wav.*guest\.wav/);
	const edits = submitted().length - before;
	bar('edits charged for two tracks of one recording', edits, '= 1', edits === 1);
});

const BAD = 'take-05.wav';

/** Twelve recordings, each half a second longer than the one before. The fifth file is no recording. */
const TAKES = new Map(
	Array.from({ length: 12 }, (_entry, index) => {
		const name = `take-${String(index + 1).padStart(2, '0')}.wav`;
		return [name, 2 + index / 2] as const;
	}),
);

/** Whether an edited file has the length of the recording that its item names. */
async function isOwnFile(item: INodeExecutionData): Promise<boolean> {
	const expected = TAKES.get(textOf(item, 'sourceFileName')) ?? 0;
	const { content } = await fileOf(editor, item);
	return Math.abs((await decodedSeconds(content)) - expected) < 0.2;
}

test('eleven of twelve recordings are edited in order, and the bad one is named', async () => {
	const files = [...TAKES].map(([name, seconds]): [string, Buffer] => [
		name,
		name === BAD ? Buffer.from('not a recording') : makeRecording({ partsSeconds: [seconds] }),
	]);
	const folder = join(sandbox.home, '.n8n-files', 'takes');
	await mkdir(folder, { recursive: true });
	for (const [name, content] of files) await writeFile(join(folder, name), content);
	const reader = fileReader(join(folder, '*.wav'));
	const before = submitted().length;
	const node = ours('audioEditing', { name: NODE, onError: 'continueErrorOutput' });
	const { execution } = await ranTo(editor, chain('Twelve', credential, [START, reader, node]));
	const read = itemsOf(execution, reader.name).map((item) => basename(textOf(item, 'fileName')));
	assert.equal(read.length, TAKES.size, failureOf(execution));
	const edited = itemsOf(execution, NODE);
	const names = edited.map((item) => textOf(item, 'sourceFileName'));
	assert.deepEqual(
		names,
		read.filter((name) => name !== BAD),
	);
	const isOwn = await Promise.all(edited.map(isOwnFile));
	const own = isOwn.filter(Boolean).length;
	bar('recordings of twelve with a bad one edited, each in its item', own, '= 11', own === 11);
	const failed = itemOf(execution, NODE, 1);
	assert.equal(textOf(failed, 'sourceFileName'), BAD);
	assert.match(textOf(failed, 'editId'), /^[0-9a-f-]{36}$/);
	assert.match(JSON.stringify(failed.json['failure']), /take-05\.wav/);
	assert.equal(submitted().length - before, TAKES.size);
});
