import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { Ajv2020 } from 'ajv/dist/2020.js';

import { WIRE } from '../../.ci/openapi/wire.ts';
import {
	accountSchema,
	configurationDetailSchema,
	configurationsSchema,
	validationErrorSchema,
} from '../shared/contract.mts';
import { fileUrlOf, send, type Answer } from '../../testkit/service/client.mts';
import { faithful, faithfulEdit } from '../../testkit/service/faithful.mts';
import { wavSeconds } from '../../testkit/media/recording.ts';
import { shortRecording } from '../../testkit/service/recordings.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';

await using service = await startService(...QUICK);
const { ann } = service;

function assertJson(answer: Answer, status = 200): void {
	assert.equal(answer.status, status, answer.text);
	assert.equal(answer.contentType, 'application/json; charset=utf-8');
}

await test('PUT <signed_url> accepts any content type, even an invalid one', async () => {
	const link = await ann.uploadLink('talk.wav');
	const headers = { 'Content-Type': 'text/plain; charset=?' };
	const answer = await send('PUT', link, { body: shortRecording, headers });
	assert.equal(answer.status, 200, answer.text);
	const id = await ann.create({ files: [fileUrlOf(link)], config: { remove_noise: false } });
	assert.equal((await ann.ended(id)).status, 'SUCCESS');
});

await test('GET /v2/edits/{edit_id} returns the edit with all result fields', async () => {
	const { task_id: id } = await ann.run(shortRecording, { remove_noise: false }, 'my talk.wav');
	const answer = await ann.call('GET', `/v2/edits/${id}`);
	assertJson(answer);
	const edit = faithfulEdit(answer.json);
	assert.equal(edit.task_id, id);
	const { download_url: link = '', duration_after_seconds: seconds, ...rest } = edit.result ?? {};
	assert.equal(seconds, edit.result?.duration_before_seconds);
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
		duration_before_seconds: wavSeconds(shortRecording),
		silences_saved_seconds: 0,
		edited_by: 'local',
	});
	const file = await send('GET', link);
	assert.equal(file.status, 200);
	assert.equal(file.contentType, 'audio/wav');
	assert.equal(file.headers.get('content-length'), String(file.bytes.length));
	assert.match(file.headers.get('content-disposition') ?? '', /^attachment/);
});

await test('POST returns a new id each time, and DELETE answers 200 even for an unknown one', async () => {
	const files = [await ann.upload(shortRecording)];
	const ids = [await ann.create({ files }), await ann.create({ files }, '/v2/noise')];
	assert.equal(new Set(ids).size, 2);
	for (const id of [...ids, ids[0], 'never-heard-of']) {
		assertJson(await ann.call('DELETE', `/v2/edits/${id}`));
	}
});

await test('GET /v2/configurations lists the templates that /v2/configuration returns', async () => {
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

await test('answers a non-integer template id with a validation error', async () => {
	for (const id of ['one', '1.5', '1e2', '%20', '0x10']) {
		const answer = await ann.call('GET', `/v2/completed_tasks/${id}`);
		assertJson(answer, 422);
		const [detail] = faithful(validationErrorSchema, answer.json).detail;
		assert.deepEqual(detail.loc, ['path', 'config_id'], id);
	}
});

await test('no template has an integer id beyond all numbers, and none was made with it', async () => {
	for (const id of ['17223842139176809005056', '-9007199254740993', '9'.repeat(400)]) {
		assertJson(await ann.call('GET', `/v2/configuration/${id}`), 404);
		const answer = await ann.call('GET', `/v2/completed_tasks/${id}`);
		assertJson(answer);
		assert.deepEqual(answer.json, { tasks: [] });
	}
});

const served = await send('GET', `${service.url}/openapi.json`);

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(served.json as object, 'openapi.json');

/** Asserts that the document has this response of an endpoint such as `GET /v1/account`. */
function assertDescribed(endpoint: string, answer: Answer, status = 200): void {
	assert.equal(answer.status, status, answer.text);
	const [method, path] = endpoint.split(' ');
	const response = ['paths', path, method.toLowerCase(), 'responses', String(status)];
	const place = [...response, 'content', 'application/json', 'schema'];
	const pointer = place.map((step) => encodeURIComponent(step.replaceAll('/', '~1'))).join('/');
	const validate = ajv.compile({ $ref: `openapi.json#/${pointer}` });
	assert.ok(validate(answer.json), `${answer.text}: ${ajv.errorsText(validate.errors)}`);
}

await test('serves its health, and docs/openapi.json, without a key', async () => {
	for (const path of ['/ping', '/health']) assertJson(await send('GET', service.url + path));
	assert.equal(served.status, 200);
	assert.deepEqual(served.json, JSON.parse(await readFile('docs/openapi.json', 'utf8')));
});

await test('answers about the account and its templates as /openapi.json describes', async () => {
	const template = '/v2/configuration/{config_id}';
	for (const version of ['v1', 'v2'])
		assertDescribed('GET /v1/account', await ann.call('GET', `/${version}/account`));
	const { json: account } = await ann.call('GET', '/v1/account');
	const { total } = faithful(accountSchema, account).credit;
	assert.ok(total > 0);
	assert.deepEqual(account, {
		credit: { total, subscription: total, payg: 0 },
		meta: { service: 'local' },
	});
	assertDescribed('GET /v2/configurations', await ann.call('GET', '/v2/configurations'));
	assertDescribed(`GET ${template}`, await ann.call('GET', '/v2/configuration/1'));
	assertDescribed(`GET ${template}`, await ann.call('GET', '/v2/configuration/one'), 422);
	assertDescribed(`GET ${template}`, await ann.call('GET', '/v2/configuration/77'), 404);
	assertDescribed('GET /v1/account', await send('GET', `${service.url}/v1/account`), 401);
});

await test('answers about an edit as /openapi.json describes', async () => {
	const link = await ann.call('POST', '/v2/upload?filename=talk.wav');
	assertDescribed('POST /v2/upload', link);
	const { signedUrl } = WIRE.Upload.parse(link.json);
	await send('PUT', signedUrl, { body: shortRecording });
	const config = { remove_noise: false, export_timestamps: true };
	const input = { files: [fileUrlOf(signedUrl)], config, template_id: 1 };
	const created = await ann.call('POST', '/v2/edits', { body: { input } });
	assertDescribed('POST /v2/edits', created);
	assert.equal(created.headers.get('retry-after'), '3');
	const { id } = WIRE.EditCreation.parse(created.json);
	await ann.ended(id);
	for (const one of [id, 'unknown'])
		assertDescribed('GET /v2/edits/{edit_id}', await ann.call('GET', `/v2/edits/${one}`));
	const tasks = await ann.call('GET', '/v2/completed_tasks/1');
	assertDescribed('GET /v2/completed_tasks/{config_id}', tasks);
	assert.equal(WIRE.TemplateTasksResponse.parse(tasks.json).tasks[0]?.id, id);
});

await test('refuses a request, and a key over its rate limit, as /openapi.json describes', async () => {
	await using busy = await startService('--submissions-per-minute', '1');
	for (const status of [422, 429]) {
		const answer = await busy.ann.call('POST', '/v2/edits', { body: {} });
		assertDescribed('POST /v2/edits', answer, status);
	}
});
