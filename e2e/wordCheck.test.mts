/** The workflow that asks the local service which words are missing in an edit, as imported. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { runFfmpeg } from '../service/media/ffmpeg/runFfmpeg.mts';
import { fileArgument } from '../service/media/ffmpeg/guardedInput.mts';
import { type ScriptedAnswer, startOpenAiServer } from '../testkit/service/openAiServer.mts';
import { startHost } from './support/host.mts';
import { failureOf, itemOf, itemsOf } from './support/outputs.mts';
import { type ChosenFile, firstExecution, submitForm } from './support/pages/form.mts';
import { CREDENTIAL_TYPE } from './support/pages/editor.mts';
import { ROOT } from './support/places.mts';
import { openSandbox } from './support/sandbox.mts';
import { inNodes } from './support/publishing/publisher.mts';
import { settingsOf, withOthers } from './support/workflowFiles.mts';

const FILE = 'word-check.json';
const SPOKEN = join(ROOT, 'testkit', 'media', 'spoken.mp3');

/** What is cut out of the recording, seconds. */
const CUT = { start: 2.25, end: 2.75 };

type Heard = readonly (readonly [text: string, startSeconds: number, endSeconds: number])[];
const BEFORE: Heard = [
	['hello', 1.6, 1.8],
	['and', 1.9, 2.1],
];
const IN_SOURCE: Heard = [
	...BEFORE,
	['welcome', CUT.start, CUT.end],
	['workshop', 3, 3.6],
	['video', 3.7, 4],
];
const AFTER_CUT: Heard = [...BEFORE, ['workshop', 2.5, 3.1], ['video', 3.2, 3.5]];

const WITH_WELCOME: Heard = [...BEFORE, ['welcome', 2.15, 2.3], ...AFTER_CUT.slice(2)];

const spoken = { name: 'talk.mp3', content: await readFile(SPOKEN) };

/** What a recognizer hears, first in the recording and then in its edit. */
let heard: Heard[] = [];
const outside = await openSandbox('recognizer');
const recognizer = outside.use(await startOpenAiServer(nextAnswer));
const flags = ['--transcription-url', `${recognizer.url}/v1`];
const { sandbox, service, editor, credential, imported } = await startHost('wordCheck', { flags });

function nextAnswer(): ScriptedAnswer {
	const words = (heard.shift() ?? []).map(([word, start, end]) => ({ word, start, end }));
	return { body: { text: words.map(({ word }) => word).join(' '), words } };
}

/** Returns the recording as somebody else edited it: softer, in another format, and without a word. */
async function editedElsewhere(): Promise<ChosenFile> {
	const path = join(sandbox.folder, 'edited.m4a');
	const without = `aselect='not(between(t,${CUT.start},${CUT.end}))',asetpts=N/SR/TB,volume=-6dB`;
	await runFfmpeg(['-i', fileArgument(SPOKEN), '-af', without, fileArgument(path)]);
	return { name: 'edited.m4a', content: await readFile(path) };
}

/** Submits the form of the workflow, and waits for its end. */
async function checked(edited: ChosenFile, ...hearings: Heard[]) {
	heard = hearings;
	const changes = {
		...settingsOf({ baseUrl: service.url }),
		'Sleep in the database': { amount: 1, unit: 'seconds' },
	};
	const ours = inNodes(['Start the check', 'Read the check'], { [CREDENTIAL_TYPE]: credential });
	const workflow = withOthers(await imported(FILE, changes), ours);
	return await firstExecution(editor, await submitForm(editor, workflow, [spoken, edited]));
}

describe(FILE, () => {
	test('gives an item for each word that is missing, with the times to listen at', async () => {
		const execution = await checked(await editedElsewhere(), IN_SOURCE, AFTER_CUT);
		assert.equal(execution.status, 'success', failureOf(execution));
		const { json } = itemOf(execution, 'One item per word');
		const { edited_at: editedAt, ...word } = json;
		assert.deepEqual(word, {
			kind: 'missing',
			text: 'welcome',
			...CUT,
			listenAt: '0:02',
			listenAtInEdit: '0:02',
		});
		assert.ok(Math.abs(Number(editedAt) - CUT.start) < 0.1);
	});

	test('gives doubtful words, too', async () => {
		const execution = await checked(await editedElsewhere(), IN_SOURCE, WITH_WELCOME);
		assert.equal(execution.status, 'success', failureOf(execution));
		const [{ json }] = itemsOf(execution, 'One item per word');
		assert.deepEqual([json['kind'], json['text']], ['doubtful', 'welcome']);
	});

	test('says that no word is missing', async () => {
		const execution = await checked(spoken);
		assert.equal(execution.status, 'success', failureOf(execution));
		assert.deepEqual(itemOf(execution, 'No word is missing').json, { cuts: 0, checked: 0 });
	});

	test('fails with the file and the reason where the edit is of something else', async () => {
		const content = Buffer.from('<html>');
		const execution = await checked({ name: 'page.mp3', content });
		assert.equal(execution.status, 'error');
		assert.match(failureOf(execution), /talk\.mp3.*page\.mp3.*not an audio or video file/);
	});
});
