import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { SPEECH, TALK_WAV, assertEditedTalk, publishRecording } from './support/audio.mts';
import { submitForm } from './support/pages/form.mts';
import { type Host, startHost } from './support/host.mts';
import { MANUAL, recordingAt } from './support/nodes.mts';
import { fileOf, itemOf } from './support/outputs.mts';
import { IS_OLDEST } from './support/places.mts';

// headless.test.mts runs with 'default', in memory; n8n 1.x keeps no files in its database.
const MODES = IS_OLDEST ? ['filesystem'] : ['filesystem', 'database'];

const hosts: [mode: string, host: Host][] = [];
for (const mode of MODES) {
	const env = { N8N_DEFAULT_BINARY_DATA_MODE: mode };
	hosts.push([mode, await startHost(mode, { env })]);
}

for (const [mode, { editor, imported, sandbox }] of hosts) {
	describe(`binary data in the mode ${mode}`, { concurrency: true }, () => {
		test('a file enters by a form and leaves edited', async () => {
			const workflow = await imported('edit-one-recording.json');
			const files = [{ name: 'talk.wav', content: TALK_WAV }];
			const execution = await submitForm(editor, workflow, files);
			const { content, about } = await fileOf(editor, itemOf(execution, 'Get Result'));
			assert.match(about.id ?? '', new RegExp(`^${mode}`));
			await assertEditedTalk(content);
		});

		test('the service delivers a file to the sleeping execution', async () => {
			const url = await publishRecording(sandbox, SPEECH, 'speech.mp3');
			const workflow = await imported('push-delivery.json', recordingAt(url));
			const id = await editor.createWorkflow(workflow);
			const execution = await editor.reached(await editor.run(id, MANUAL));
			const { content, about } = await fileOf(editor, itemOf(execution, 'Edited file'));
			assert.match(about.id ?? '', new RegExp(`^${mode}`));
			assert.ok(content.length > 100_000);
		});
	});
}
