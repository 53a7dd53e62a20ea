import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';

import { send } from './support/client.mts';
import { ANNS_KEY, startService } from './support/testService.mts';

await using service = await startService(
	...['--submissions-per-minute', '2', '--status-calls-per-minute', '2'],
);
const { ann } = service;

/** Every endpoint with authentication, where possible with another mistake in the request. */
const AUTHENTICATED: readonly [method: string, path: string, body?: string][] = [
	['POST', '/v2/upload'],
	['POST', '/v2/edits', '{"input": nonsense'],
	['POST', '/v2/edits', '{}'],
	['GET', '/v2/edits/some-id'],
	['DELETE', '/v2/edits/some-id'],
	['POST', '/v2/noise', '{"input": nonsense'],
	['POST', '/v2/noise', '{}'],
	['GET', '/v1/account'],
	['GET', '/v2/configurations'],
	['GET', '/v2/configuration/no-integer'],
	['GET', '/v2/completed_tasks/no-integer'],
];

const WRONG_KEYS: Readonly<Record<string, Record<string, string>>> = {
	'no key': {},
	'an empty key': { 'X-API-Key': '' },
	'a wrong key': { 'X-API-Key': 'wrong' },
	'a key in another case': { 'X-API-Key': ANNS_KEY.toUpperCase() },
	'the beginning of a key': { 'X-API-Key': ANNS_KEY.slice(0, -1) },
	'a key and more': { 'X-API-Key': `${ANNS_KEY}0` },
	'two keys': { 'X-API-Key': `${ANNS_KEY}, ${ANNS_KEY}` },
	'the key as a bearer token': { Authorization: `Bearer ${ANNS_KEY}` },
};

for (const [method, path, body] of AUTHENTICATED) {
	await test(`${method} ${path} ${body ?? ''} answers 401 before any other check`, async () => {
		for (const [what, headers] of Object.entries(WRONG_KEYS)) {
			const answer = await send(method, service.url + path, { headers, body });
			assert.equal(answer.status, 401, `${what}: ${answer.text}`);
			assert.equal(answer.contentType, 'application/json; charset=utf-8');
		}
	});
}

await test('refused requests do not count against the rate limits', async () => {
	for (let call = 1; call <= 2; call += 1) {
		assert.equal((await ann.call('POST', '/v2/upload?filename=a.wav')).status, 200);
		assert.equal((await ann.call('GET', '/v2/edits/some-id')).status, 200);
	}
});

await test('answers a wrong key with 401, not 429, when a rate limit is exhausted', async () => {
	assert.equal((await ann.call('GET', '/v2/edits/some-id')).status, 429);
	const headers = { 'X-API-Key': 'wrong' };
	const answer = await send('GET', `${service.url}/v2/edits/some-id`, { headers });
	assert.equal(answer.status, 401);
});

/** Returns the status of GET /v1/account with the header name exactly as given; fetch lowercases it. */
async function statusWithHeaderName(name: string): Promise<number | undefined> {
	return await new Promise((resolve, reject) => {
		const headers = ['Host', new URL(service.url).host, name, ANNS_KEY];
		const call = request(`${service.url}/v1/account`, { headers }, (response) => {
			response.resume();
			resolve(response.statusCode);
		});
		call.on('error', reject).end();
	});
}

await test('accepts the header name in any case', async () => {
	for (const name of ['X-API-Key', 'x-api-key', 'X-API-KEY', 'x-ApI-kEy']) {
		assert.equal(await statusWithHeaderName(name), 200, name);
	}
	assert.equal(await statusWithHeaderName('X-API-Keys'), 401);
});
