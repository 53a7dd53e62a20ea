import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import type { IBinaryData } from 'n8n-workflow';

import { Client } from '../testkit/service/client.mts';
import { TALK_WAV, assertEditedTalk } from './support/audio.mts';
import { type Host, startHost } from './support/host.mts';
import { fileOf, itemOf, itemsOf, textOf } from './support/outputs.mts';
import { firstExecution, submitForm } from './support/pages/form.mts';

/** Where n8n keeps files: in memory, which n8n 3 does not, on disk, and in its database. */
const MODES = ['default', 'filesystem', 'database'];

const hosts: Host[] = [];
for (const mode of MODES) {
	const env = { N8N_DEFAULT_BINARY_DATA_MODE: mode };
	hosts.push(await startHost(mode, { env }));
}

const [{ sandbox, service, editor, imported }] = hosts;

/** Checks where n8n keeps a file; in memory, it has no ID. */
function assertMode(mode: string, { id = 'default' }: IBinaryData): void {
	assert.equal(id.split(/[:-]/, 1)[0], mode);
}

// test/workflowRuns.test.ts runs more examples; crash.test.mts one with a durable wait.
// Together, because they spend most of the time waiting.
describe('the example workflows', { concurrency: true }, () => {
	for (const [index, host] of hosts.entries()) {
		const mode = MODES[index];

		test(`${mode}: a file enters by a form and leaves edited`, async () => {
			const workflow = await host.imported('edit-one-recording.json');
			const files = [{ name: 'talk.wav', content: TALK_WAV }];
			const id = await submitForm(host.editor, workflow, files);
			const execution = await firstExecution(host.editor, id);
			const { content, about } = await fileOf(
				host.editor,
				itemOf(execution, 'Audio Editing Get Result'),
			);
			assertMode(mode, about);
			await assertEditedTalk(content);
		});
	}

	test('edit-finished, activated', async () => {
		const pollTimes = { item: [{ mode: 'everyMinute' }] };
		const workflow = await imported('edit-finished.json', {
			'Audio Editing Edit Finished Trigger': { pollTimes },
		});
		const id = await editor.published(workflow);
		const client = new Client(service.url, service.apiKey);
		const files = [await client.upload(TALK_WAV)];
		const editId = await client.create({ files, config: null, template_id: 1 });
		const execution = await firstExecution(editor, id);
		assert.equal(itemOf(execution, 'Audio Editing Edit Finished Trigger').json['editId'], editId);
		const { content } = await fileOf(editor, itemOf(execution, 'Publish'));
		await assertEditedTalk(content, { isShorter: false });
	});

	test('drop-folder edits what it can, once, and reports the rest', async () => {
		const folder = join(sandbox.home, '.n8n-files');
		for (const name of ['inbox', 'edited']) await mkdir(join(folder, name), { recursive: true });
		await writeFile(join(folder, 'inbox', 'one.wav'), TALK_WAV);
		await writeFile(join(folder, 'inbox', 'two.wav'), TALK_WAV);
		await writeFile(join(folder, 'inbox', 'broken.wav'), 'not a recording');
		const id = await editor.createWorkflow(await imported('drop-folder.json'));
		const first = await editor.reached(await editor.run(id, 'Every 15 minutes'));
		const kept = itemsOf(first, 'Save the edited file').map((item) => textOf(item, 'fileName'));
		assert.equal(kept.length, 2);
		for (const path of kept) await assertEditedTalk(await readFile(path));
		const said = textOf(itemOf(first, 'Send the summary'), 'summary').split('\n');
		assert.equal(said[0], '2 edited, 0 skipped, 1 failed');
		assert.match(said[1], /^- broken\.wav could not be edited: .* \(edit [0-9a-f-]{36}\)$/);
		assert.match(said[2], /^Credit: \d+ before, \d+ afterwards/);
		const second = await editor.reached(await editor.run(id, 'Every 15 minutes'));
		assert.equal(second.status, 'success');
		// A manual execution clears no memory, so the next one delivers again; no file is edited twice.
		const editsIn = (execution: typeof first) =>
			itemsOf(execution, 'Audio Editing').map((item) => textOf(item, 'editId'));
		assert.equal(editsIn(first).length, 2);
		assert.deepEqual(editsIn(second).sort(), editsIn(first).sort());
	});
});
