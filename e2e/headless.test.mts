import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { decodedSeconds } from '../test/service/support/media.mts';
import { Client } from '../test/service/support/client.mts';
import { startOpenAiServer } from '../test/service/support/openAiServer.mts';
import { SPEECH, TALK_WAV, assertEditedTalk, publishRecording } from './support/audio.mts';
import { firstExecution, submitForm } from './support/pages/form.mts';
import { startHost } from './support/host.mts';
import { fileOf, itemOf, itemsOf, textOf } from './support/outputs.mts';
import { MANUAL, recordingAt } from './support/recordingNode.mts';
import { SPOKEN } from '../test/support/spoken.ts';
import { type Changes, importedWorkflow } from './support/workflowFiles.mts';

const recogniser = await startOpenAiServer(() => ({ body: SPOKEN }));
const { sandbox, service, editor, credential } = await startHost('headless', {
	flags: ['--transcription-url', recogniser.url],
	env: { N8N_DEFAULT_BINARY_DATA_MODE: 'default' },
});
sandbox.onEnd(async () => {
	await recogniser[Symbol.asyncDispose]();
});

const imported = async (file: string, changes?: Changes) =>
	await importedWorkflow(file, credential, sandbox.home, changes);

const TALK_FILE = { name: 'talk.wav', content: TALK_WAV };

const inbox = join(sandbox.home, '.n8n-files', 'inbox');
const edited = join(sandbox.home, '.n8n-files', 'edited');
await mkdir(inbox, { recursive: true });
await mkdir(edited, { recursive: true });
await writeFile(join(inbox, 'one.wav'), TALK_WAV);
await writeFile(join(inbox, 'two.wav'), TALK_WAV);
await writeFile(join(inbox, 'broken.wav'), 'not a recording');

describe("n8n's own credential test", () => {
	const CASES = [
		['a good key', { baseUrl: service.url, apiKey: service.apiKey }, 'OK', /./],
		['a bad key', { baseUrl: service.url, apiKey: 'wrong' }, 'Error', /key/i],
		['an unreachable host', { baseUrl: 'http://127.0.0.1:9', apiKey: 'any' }, 'Error', /./],
	] as const;
	for (const [what, data, status, message] of CASES) {
		test(what, async () => {
			const reference = await editor.createCredential(what, data);
			const answer = await editor.testCredential(reference, data);
			console.log(`    n8n says: ${answer.message}`);
			assert.equal(answer.status, status);
			assert.match(answer.message, message);
		});
	}
});

function testForms(): void {
	test('edit-one-recording, by its form', async () => {
		const files = [TALK_FILE];
		const execution = await submitForm(editor, await imported('edit-one-recording.json'), files);
		const item = itemOf(execution, 'Get Result');
		await assertEditedTalk((await fileOf(editor, item)).content);
		assert.equal(Object.keys(item.binary ?? {}).length > 1, true, 'no markers');
		assert.deepEqual(itemOf(execution, 'Delete').json, {
			deleted: true,
			editId: item.json['editId'],
			sourceFileName: 'talk.wav',
		});
	});

	test('multi-track-episode, by its form', async () => {
		const files = ['host.wav', 'guest.wav'].map((name) => ({ name, content: TALK_WAV }));
		const workflow = await imported('multi-track-episode.json');
		const execution = await submitForm(editor, workflow, files);
		assert.equal(itemsOf(execution, 'Create Edit').length, 1);
		const merged = await fileOf(editor, itemOf(execution, 'Get Result'));
		await assertEditedTalk(merged.content);
	});

	test('transcript-and-show-notes, by its form', async () => {
		const workflow = await imported('transcript-and-show-notes.json');
		const execution = await submitForm(editor, workflow, [TALK_FILE]);
		const item = itemOf(execution, 'Publish');
		assert.equal(Object.keys(item.binary ?? {}).length, 11);
		const subtitles = await fileOf(editor, item, 'data_vtt');
		assert.match(subtitles.content.toString(), /^WEBVTT\n[^]*Podcasts are made of words/);
		await assertEditedTalk((await fileOf(editor, item)).content, { isShorter: false });
	});
}

function testOthers(): void {
	test('durable-wait, by hand', async () => {
		const changes = {
			...recordingAt(await publishRecording(sandbox)),
			// More than 65 s, because n8n keeps a shorter wait in memory.
			'Sleep in the database': { amount: 66, unit: 'seconds' },
		};
		const id = await editor.createWorkflow(await imported('durable-wait.json', changes));
		const execution = await editor.reached(await editor.run(id, MANUAL));
		const { content } = await fileOf(editor, itemOf(execution, 'Get Result'));
		await assertEditedTalk(content, { isShorter: false });
	});

	test('push-delivery, by hand', async () => {
		const changes = recordingAt(await publishRecording(sandbox, SPEECH, 'speech.mp3'));
		const id = await editor.createWorkflow(await imported('push-delivery.json', changes));
		const execution = await editor.reached(await editor.run(id, MANUAL));
		const item = itemOf(execution, 'Edited file');
		assert.equal(item.json['status'], 'SUCCESS');
		assert.match(textOf(item, 'transcript'), /Podcasts are made of words/);
		const { content } = await fileOf(editor, item);
		assert.ok(Math.abs((await decodedSeconds(content)) - (await decodedSeconds(SPEECH))) < 0.3);
	});

	test('edit-finished, activated', async () => {
		const pollTimes = { item: [{ mode: 'everyMinute' }] };
		const workflow = await imported('edit-finished.json', {
			'Edit Finished Trigger': { pollTimes },
		});
		const id = await editor.createWorkflow(workflow);
		await editor.publish(id);
		const client = new Client(service.url, service.apiKey);
		const files = [await client.upload(TALK_WAV)];
		const editId = await client.create({ files, config: null, template_id: 1 });
		const execution = await firstExecution(editor, id);
		assert.equal(itemOf(execution, 'Edit Finished Trigger').json['editId'], editId);
		const { content } = await fileOf(editor, itemOf(execution, 'Publish'));
		await assertEditedTalk(content, { isShorter: false });
	});
}

function testFolders(): void {
	for (const [file, trigger] of [
		['nightly-batch.json', 'Every night at 2'],
		['drop-folder.json', 'Every 15 minutes'],
	] as const) {
		test(`${file} edits what it can, once, and reports the rest`, async () => {
			const id = await editor.createWorkflow(await imported(file));
			const first = await editor.reached(await editor.run(id, trigger));
			const kept = itemsOf(first, 'Save the edited file').map((item) => textOf(item, 'fileName'));
			assert.equal(kept.length, 2);
			for (const path of kept) await assertEditedTalk(await readFile(path));
			assert.match(textOf(itemOf(first, 'What could not be edited'), 'message'), /[0-9a-f-]{36}/);
			const second = await editor.reached(await editor.run(id, trigger));
			assert.equal(second.status, 'success');
			assert.equal(itemsOf(second, 'Upload').length, 0, 'a file was read twice');
		});
	}
}

// Together, because they spend most of the time waiting.
describe('the example workflows', { concurrency: true }, () => {
	testForms();
	testOthers();
	testFolders();
});
