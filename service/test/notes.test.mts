import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { EditRequest } from '../shared/contract.mts';
import { resultOf } from '../../testkit/service/client.mts';
import { shortRecording } from '../../testkit/service/recordings.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';

await using service = await startService(...QUICK);
const { ann } = service;
const files = [await ann.upload(shortRecording)];

async function notesOn(config: NonNullable<EditRequest['input']['config']>, more = {}) {
	const input = { files, config: { remove_noise: false, ...config }, ...more };
	return resultOf(await ann.ended(await ann.create(input))).notes;
}

await test('a result says which keys of other clients had no effect', async () => {
	assert.deepEqual(await notesOn({ automix: true, trim: { start: 1 }, waveform_preview: true }), [
		"'automix' has no effect: this service does not have it",
		"'trim' has no effect: this service does not have it",
		"'waveform_preview' has no effect: this service does not have it",
	]);
	const [note, ...others] = (await notesOn({ breath: 'muted' })) ?? [];
	assert.match(note, /^'breath: muted' has no effect\. Set 'breath' and 'muted' to true/);
	assert.deepEqual(others, []);
});

await test('a result without anything to note has no notes, nor for keys that are off', async () => {
	assert.equal(await notesOn({}), undefined);
	assert.equal(await notesOn({ automix: false, trim: null, breath: false }), undefined);
});

await test('any upload_type is accepted, and a completed task has the notes as well', async () => {
	const more = { upload_type: 'podcast', template_id: 1 };
	const notes = await notesOn({ automix: true }, more);
	const { json } = await ann.call('GET', '/v2/completed_tasks/1');
	const { tasks } = json as { tasks: { results: { notes: unknown } }[] };
	assert.deepEqual(tasks[0].results.notes, notes);
});
