import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
	accountSchema,
	configurationDetailSchema,
	configurationsSchema,
	completedTasksSchema,
	editCreationSchema,
	uploadSchema,
	validationErrorSchema,
} from '../../service/shared/contract.mts';
import { fileUrlOf, send, type Answer } from './support/client.mts';
import { faithful, faithfulEdit, keysOf } from './support/faithful.mts';
import { shortRecording } from './support/recordings.mts';
import { QUICK, startService } from './support/testService.mts';

await using service = await startService(...QUICK);
const { ann } = service;

function assertJson(answer: Answer, status = 200): void {
	assert.equal(answer.status, status, answer.text);
	assert.equal(answer.contentType, 'application/json; charset=utf-8');
}

await test('1 POST /v2/upload returns a signed URL under the public URL', async () => {
	const answer = await ann.call('POST', '/v2/upload?filename=talk.wav');
	assertJson(answer);
	const { signedUrl } = faithful(uploadSchema, answer.json);
	assert.deepEqual(keysOf(answer.json), ['signedUrl']);
	assert.ok(signedUrl.startsWith(`${service.url}/`), signedUrl);
	assert.match(signedUrl, /\/talk\.wav\?./);
});

await test('2 PUT <signed_url> answers 200 with an empty body and needs no key', async () => {
	const link = await ann.uploadLink('talk.wav');
	const headers = { 'Content-Type': 'audio/wav' };
	const answer = await send('PUT', link, { body: shortRecording, headers });
	assert.equal(answer.status, 200);
	assert.equal(answer.bytes.length, 0);
});

await test('2 PUT <signed_url> accepts any content type, even an invalid one', async () => {
	for (const type of ['application/json', 'not a type', 'text/plain; charset=?']) {
		const link = await ann.uploadLink('talk.wav');
		const answer = await send('PUT', link, {
			body: shortRecording,
			headers: { 'Content-Type': type },
		});
		assert.equal(answer.status, 200, `${type}: ${answer.text}`);
		const id = await ann.create({ files: [fileUrlOf(link)], config: { remove_noise: false } });
		assert.equal((await ann.ended(id)).status, 'SUCCESS', type);
	}
});

await test('3 and 6 POST /v2/edits and /v2/noise return a new id each time', async () => {
	const files = [await ann.upload(shortRecording)];
	const ids = new Set<string>();
	for (const path of ['/v2/edits', '/v2/edits', '/v2/noise']) {
		const answer = await ann.call('POST', path, { body: { input: { files, config: null } } });
		assertJson(answer);
		assert.deepEqual(keysOf(answer.json), ['id']);
		ids.add(faithful(editCreationSchema, answer.json).id);
	}
	assert.equal(ids.size, 3);
	for (const id of ids) assert.equal((await ann.ended(id)).status, 'SUCCESS');
});

await test('4 GET /v2/edits/{edit_id} returns the edit with all result fields', async () => {
	const { task_id: id } = await ann.run(shortRecording, { remove_noise: false }, 'my talk.wav');
	const answer = await ann.call('GET', `/v2/edits/${id}`);
	assertJson(answer);
	const edit = faithfulEdit(answer.json);
	assert.equal(edit.task_id, id);
	const { download_url: link = '', ...rest } = edit.result ?? {};
	assert.deepEqual(rest, {
		video: false,
		filename: 'my talk-edited.wav',
		statistics: { BREATH: 0, DEADAIR: 0, STUTTERING: 0, MOUTH_SOUND: 0, FILLER_SOUND: 0 },
		transcription: null,
		summarization: null,
		social_content: undefined,
		merged_audio_url: [],
		timestamps_markers_urls: [],
		waveform_result: [],
	});
	const file = await send('GET', link);
	assert.equal(file.status, 200);
	assert.equal(file.contentType, 'audio/wav');
	assert.equal(file.headers.get('content-length'), String(file.bytes.length));
	assert.match(file.headers.get('content-disposition') ?? '', /^attachment/);
});

await test('5 DELETE /v2/edits/{edit_id} answers 200, even for an unknown id', async () => {
	const { task_id: id } = await ann.run(shortRecording, { remove_noise: false });
	for (const path of [id, id, 'never-heard-of']) {
		assertJson(await ann.call('DELETE', `/v2/edits/${path}`));
	}
});

await test('7 GET /v1/account returns integer credit and a meta object', async () => {
	const answer = await ann.call('GET', '/v1/account');
	assertJson(answer);
	const { credit, meta } = faithful(accountSchema, answer.json);
	for (const amount of [credit.total, credit.subscription, credit.payg]) {
		assert.ok(Number.isInteger(amount), String(amount));
	}
	assert.equal(typeof meta, 'object');
});

await test('8 and 9 GET /v2/configurations lists the templates that /v2/configuration returns', async () => {
	const answer = await ann.call('GET', '/v2/configurations');
	assertJson(answer);
	const { configurations } = faithful(configurationsSchema, answer.json);
	assert.ok(configurations.length >= 2);
	for (const entry of configurations) {
		const one = await ann.call('GET', `/v2/configuration/${entry.id}`);
		assertJson(one);
		const { settings, ...rest } = faithful(configurationDetailSchema, one.json);
		assert.deepEqual(rest, entry);
		assert.ok(Object.keys(settings).length > 0);
	}
});

await test('9 and 10 answer a non-integer template id with a validation error', async () => {
	for (const id of ['one', '1.5', '1e2', '%20', '0x10']) {
		for (const path of [`/v2/configuration/${id}`, `/v2/completed_tasks/${id}`]) {
			const answer = await ann.call('GET', path);
			assertJson(answer, 422);
			const [detail] = faithful(validationErrorSchema, answer.json).detail;
			assert.deepEqual(detail.loc, ['path', 'config_id'], path);
		}
	}
});

await test('10 GET /v2/completed_tasks/{config_id} returns an empty list at first', async () => {
	const answer = await ann.call('GET', '/v2/completed_tasks/1');
	assertJson(answer);
	assert.deepEqual(faithful(completedTasksSchema, answer.json), { tasks: [] });
});

await test('11 GET / returns HTML', async () => {
	const answer = await send('GET', `${service.url}/`);
	assert.equal(answer.status, 200);
	assert.equal(answer.contentType, 'text/html; charset=utf-8');
	assert.match(answer.text, /^<!doctype html>/);
});

for (const path of ['/ping', '/health']) {
	await test(`12 and 13 GET ${path} returns a JSON object without a key`, async () => {
		const answer = await send('GET', service.url + path);
		assertJson(answer);
		assert.equal(typeof answer.json, 'object');
	});
}
