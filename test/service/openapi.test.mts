import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { Ajv2020 } from 'ajv/dist/2020.js';

import { WIRE } from '../../.ci/openapi/wire.ts';
import { fileUrlOf, send, type Answer } from './support/client.mts';
import { shortRecording } from './support/recordings.mts';
import { QUICK, startService } from './support/testService.mts';

await using service = await startService(...QUICK);
const { ann } = service;

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

await test('serves docs/openapi.json without a key', async () => {
	assert.equal(served.status, 200);
	assert.deepEqual(served.json, JSON.parse(await readFile('docs/openapi.json', 'utf8')));
});

await test('answers about the account and its templates as /openapi.json describes', async () => {
	const template = '/v2/configuration/{config_id}';
	assertDescribed('GET /v1/account', await ann.call('GET', '/v1/account'));
	assertDescribed('GET /v2/configurations', await ann.call('GET', '/v2/configurations'));
	assertDescribed(`GET ${template}`, await ann.call('GET', '/v2/configuration/1'));
	assertDescribed(`GET ${template}`, await ann.call('GET', '/v2/configuration/one'), 422);
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
	const { id } = WIRE.EditCreation.parse(created.json);
	await ann.ended(id);
	for (const one of [id, 'unknown']) {
		const edit = await ann.call('GET', `/v2/edits/${one}`);
		assertDescribed('GET /v2/edits/{edit_id}', edit);
	}
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
