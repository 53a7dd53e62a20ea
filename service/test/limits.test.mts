import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { promisify } from 'node:util';

import { rateLimitErrorSchema, validationErrorSchema } from '../shared/contract.mts';
import { readSettings } from '../shared/settings.mts';
import { Client, send, type Answer } from '../../testkit/service/client.mts';
import { faithful } from '../../testkit/service/faithful.mts';
import { PLAIN as config } from '../../testkit/service/recordings.mts';
import { startOutsideServer } from '../../testkit/service/servers.mts';
import {
	ANNS_KEY,
	startService,
	QUICK,
	type TestService,
} from '../../testkit/service/testService.mts';

const flags = ['--submissions-per-minute', '2', '--status-calls-per-minute', '2'];
await using strict = await startService(...flags);

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
	['GET', '/v2/account'],
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
			const answer = await send(method, strict.url + path, { headers, body });
			assert.equal(answer.status, 401, `${what}: ${answer.text}`);
			assert.equal(answer.contentType, 'application/json; charset=utf-8');
		}
	});
}

await test('refused requests do not count against the rate limits', async () => {
	for (let call = 1; call <= 2; call += 1) {
		assert.equal((await strict.ann.call('POST', '/v2/upload?filename=a.wav')).status, 200);
		assert.equal((await strict.ann.call('GET', '/v2/edits/some-id')).status, 200);
	}
});

await test('answers a wrong key with 401, not 429, when a rate limit is exhausted', async () => {
	assert.equal((await strict.ann.call('GET', '/v2/edits/some-id')).status, 429);
	const headers = { 'X-API-Key': 'wrong' };
	const answer = await send('GET', `${strict.url}/v2/edits/some-id`, { headers });
	assert.equal(answer.status, 401);
});

await using service = await startService(...QUICK, '--max-queued-edits', '3');
const { ann, bob } = service;

/** Accepts requests and never answers. */
await using silent = await startOutsideServer(() => undefined);

await test('refuses an edit of more than 32 files', async () => {
	const files = Array.from({ length: 33 }, (_, index) => `${silent.url}/${index}.wav`);
	const answer = await ann.call('POST', '/v2/edits', { body: { input: { files, config } } });
	assert.equal(answer.status, 422);
	const [detail] = faithful(validationErrorSchema, answer.json).detail;
	assert.deepEqual(detail.loc, ['body', 'input', 'files']);
	assert.match(detail.msg, /at most 32 items/);
	assert.equal(readSettings([]).maxTracks, 32);
});

await test('refuses a URL and a file name of more than 16,384 characters, and takes shorter ones', async () => {
	const urlOf = (characters: number) => `${silent.url}/`.padEnd(characters, '.a');
	const submit = (input: object) => ann.call('POST', '/v2/edits', { body: { input } });
	const long = { files: [`${silent.url}/talk.wav`, urlOf(16_385)], config };
	const far = { files: [`${silent.url}/talk.wav`], config: { signed_url: urlOf(900_000) } };
	for (const [input, path] of [
		[long, ['files', 1]],
		[far, ['config', 'signed_url']],
	] as const) {
		const refused = await submit(input);
		assert.equal(refused.status, 422);
		const [detail] = faithful(validationErrorSchema, refused.json).detail;
		assert.deepEqual(detail.loc, ['body', 'input', ...path]);
		assert.match(detail.msg, /at most 16384 characters/);
	}
	const taken = await submit({ files: [urlOf(16_384)], config });
	assert.equal(taken.status, 200);
	await ann.call('DELETE', `/v2/edits/${(taken.json as { id: string }).id}`);
	assert.equal((await ann.call('POST', `/v2/upload?filename=${'.a'.repeat(4_000)}`)).status, 200);
	// Node.js itself refuses longer addresses.
	const { status, json } = await ann.call('POST', `/v2/upload?filename=${'b'.repeat(16_385)}`);
	assert.ok([422, 431].includes(status), JSON.stringify(json));
});

await test('answers 429 when a key has too many unfinished edits, but not to other keys', async () => {
	const body = { input: { files: [`${silent.url}/talk.wav`], config } };
	const submit = (client = ann) => client.call('POST', '/v2/edits', { body });
	const answers = [await submit(), await submit(), await submit()];
	for (const { status } of answers) assert.equal(status, 200);
	const refused = await submit();
	assert.equal(refused.status, 429);
	assert.match(faithful(rateLimitErrorSchema, refused.json).error.message, /3 edits .* unfinished/);
	assert.equal((await submit(bob)).status, 200);
	for (const { json } of answers)
		await ann.call('DELETE', `/v2/edits/${(json as { id: string }).id}`);
	assert.equal((await submit()).status, 200);
});

await test('standard and enterprise keys have separate rate limits', async () => {
	const keys = ['--api-key', 'plain-key', '--api-key', 'large=key=enterprise'];
	await using both = await startService(
		...keys,
		'--submissions-per-minute',
		'2',
		'--enterprise-submissions-per-minute',
		'4',
	);
	const accepted = async (key: string) => {
		const client = new Client(both.url, key);
		return (await counted(6, () => client.call('POST', '/v2/upload?filename=a.wav')))[200] ?? 0;
	};
	assert.equal(await accepted('plain-key'), 2);
	assert.equal(await accepted('large=key'), 4);
	assert.equal(await accepted('large=key=enterprise'), 0);
	assert.equal(readSettings([]).enterpriseSubmissionsPerMinute, 100);
	assert.throws(() => readSettings(['--api-key', 'key=Enterprise']), /no plan 'Enterprise'/);
	const twice = ['--api-key', 'key', '--api-key', 'key=enterprise'];
	assert.throws(() => readSettings(twice), /one key twice/);
	assert.equal(readSettings(['--api-key', 'c2VjcmV0=']).apiKeys[0]?.key, 'c2VjcmV0=');
});

/** Sends a whole submission before reading, as many programs do, and returns the response. */
async function answerTo(body: Buffer): Promise<string> {
	const socket = connect(Number(new URL(service.url).port), '127.0.0.1').setEncoding('utf8');
	socket.write(`POST /v2/edits HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${ann.key}\r\n`);
	socket.write(`Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`);
	await promisify((done: () => void) => socket.write(body, done))();
	const [answer] = (await once(socket, 'data')) as [string];
	return answer;
}

await test('reads an oversized body to its end and answers 413', async () => {
	const body = Buffer.alloc(16_000_000, 'a');
	for (let round = 0; round < 4; round++) {
		assert.match(await answerTo(body), /^HTTP\/1\.1 413 /);
	}
});

// Without flags: the limits are those of api.md#limits.
await using usual = await startService();

const body = { input: { files: ['http://127.0.0.1:9/talk.wav'], config: { video: true } } };

/** Sends a submission; the number selects one of three kinds in turn. */
async function submission(client: Client, number: number): Promise<Answer> {
	const paths = ['/v2/upload?filename=talk.wav', '/v2/edits', '/v2/noise'];
	return await client.call('POST', paths[number % paths.length], { body });
}

const statusCall = (client: Client) => client.call('GET', '/v2/edits/some-id');

/** Makes a number of calls at once and counts the responses by status. */
async function counted(times: number, call: (number: number) => Promise<Answer>) {
	const answers = await Promise.all(Array.from({ length: times }, (_, number) => call(number)));
	const counts: Record<number, number | undefined> = {};
	for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
	return counts;
}

/** Asserts that a response is a rate limit error and returns its Retry-After in seconds. */
function assertLimited(answer: Answer): number {
	assert.equal(answer.status, 429);
	assert.equal(answer.contentType, 'application/json; charset=utf-8');
	const { error } = faithful(rateLimitErrorSchema, answer.json);
	assert.deepEqual(Object.keys(answer.json as object), ['error']);
	assert.equal(error.code, 'E9001');
	assert.match(error.message, /rate limit exceeded.*later/i);
	const retryAfter = answer.headers.get('retry-after') ?? '';
	assert.match(retryAfter, /^\d+$/);
	return Number(retryAfter);
}

/** Lets half of a time pass, or the other half. Real time passes, too, so an end is not to be met exactly. */
const passHalf = ({ clock }: TestService, seconds: number) => {
	clock.advance(seconds * 500 + 500);
};

let submissionsFreeAfterSeconds = NaN;

await test('accepts 30 uploads, edits and noise reductions in total, then answers 429', async () => {
	const counts = await counted(33, (number) => submission(usual.ann, number));
	assert.deepEqual(counts, { 200: 30, 429: 3 });
	for (const number of [0, 1, 2]) {
		submissionsFreeAfterSeconds = assertLimited(await submission(usual.ann, number));
	}
});

await test('still answers status calls, deletions and account requests', async () => {
	assert.equal((await statusCall(ann)).status, 200);
	assert.equal((await usual.ann.call('DELETE', '/v2/edits/some-id')).status, 200);
	assert.equal((await usual.ann.call('GET', '/v1/account')).status, 200);
});

await test('each key has its own rate limit', async () => {
	assert.deepEqual(await counted(30, (number) => submission(usual.bob, number)), { 200: 30 });
});

await test('accepts 30 submissions again after Retry-After, not before', async () => {
	assert.ok(submissionsFreeAfterSeconds >= 1);
	passHalf(usual, submissionsFreeAfterSeconds);
	assertLimited(await submission(usual.ann, 0));
	passHalf(usual, submissionsFreeAfterSeconds);
	const counts = await counted(31, (number) => submission(usual.ann, number));
	assert.deepEqual(counts, { 200: 30, 429: 1 });
});

await test('accepts 300 calls of account, templates and completed tasks together, apart from status calls', async () => {
	await using fresh = await startService();
	const paths = ['/v1/account', '/v2/account', '/v2/configurations'];
	paths.push('/v2/configuration/1', '/v2/completed_tasks/1');
	const other = (number: number) => fresh.ann.call('GET', paths[number % paths.length]);
	const { 429: refused, ...answered } = await counted(303, other);
	const accepted = Object.values(answered).reduce((sum = 0, count = 0) => sum + count, 0);
	assert.deepEqual([refused, accepted], [3, 300]);
	let freeAfterSeconds = 0;
	for (const number of paths.keys()) freeAfterSeconds = assertLimited(await other(number));
	assert.equal((await fresh.bob.call('GET', '/v1/account')).status, 200);
	assert.deepEqual(await counted(300, () => statusCall(fresh.ann)), { 200: 300 });
	assert.equal((await submission(fresh.ann, 0)).status, 200);
	assert.equal((await fresh.ann.call('DELETE', '/v2/edits/some-id')).status, 200);
	passHalf(fresh, freeAfterSeconds);
	assertLimited(await other(0));
	passHalf(fresh, freeAfterSeconds);
	assert.equal((await other(0)).status, 200);
});

await test('accepts 300 status calls of a key, then answers 429 until Retry-After', async () => {
	await using fresh = await startService();
	const counts = await counted(302, () => statusCall(fresh.ann));
	assert.deepEqual(counts, { 200: 300, 429: 2 });
	const freeAfterSeconds = assertLimited(await statusCall(fresh.ann));
	assert.equal((await statusCall(fresh.bob)).status, 200);
	assert.equal((await fresh.ann.call('GET', '/v2/configurations')).status, 200);
	assert.equal((await submission(fresh.ann, 0)).status, 200);
	passHalf(fresh, freeAfterSeconds);
	assertLimited(await statusCall(fresh.ann));
	passHalf(fresh, freeAfterSeconds);
	assert.equal((await statusCall(fresh.ann)).status, 200);
});
