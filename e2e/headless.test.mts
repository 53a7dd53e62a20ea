import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { Client } from '../test/service/support/client.mts';
import { TALK_WAV, assertEditedTalk } from './support/audio.mts';
import { startHost } from './support/host.mts';
import { fileOf, itemOf, itemsOf, textOf } from './support/outputs.mts';
import { firstExecution, submitForm } from './support/pages/form.mts';

// test/workflowRuns.test.ts runs more examples; crash and push.test.mts those with a durable wait and a delivery.
const { sandbox, service, editor, imported } = await startHost('headless', {
	env: { N8N_DEFAULT_BINARY_DATA_MODE: 'default' },
});

const inbox = join(sandbox.home, '.n8n-files', 'inbox');
const edited = join(sandbox.home, '.n8n-files', 'edited');
await mkdir(inbox, { recursive: true });
await mkdir(edited, { recursive: true });
await writeFile(join(inbox, 'one.wav'), TALK_WAV);
await writeFile(join(inbox, 'two.wav'), TALK_WAV);
await writeFile(join(inbox, 'broken.wav'), 'not a recording');

function testForm(): void {
	test('edit-one-recording, by its form', async () => {
		const files = [{ name: 'talk.wav', content: TALK_WAV }];
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
}

function testTrigger(): void {
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
	testForm();
	testTrigger();
	testFolders();
});
