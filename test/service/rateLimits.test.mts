import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

import {
	RATE_LIMIT_ERROR_CODE,
	rateLimitErrorSchema,
	STATUS_CALLS_PER_MINUTE,
	SUBMISSIONS_PER_MINUTE_STANDARD,
} from '../../service/shared/contract.mts';
import type { Answer, Client } from './support/client.mts';
import { faithful, keysOf } from './support/faithful.mts';
import { startService } from './support/testService.mts';

// The rate limits count by the machine's clock, which moves only when a test sets it.
mock.timers.enable({ apis: ['Date'], now: Date.now() });
const pass = (seconds: number) => {
	mock.timers.tick(seconds * 1_000);
};

// Without flags: the limits are those of api.md#limits.
await using service = await startService();
const { ann, bob } = service;

const body = { input: { files: ['http://127.0.0.1:9/talk.wav'], config: { video: true } } };

/** Sends a submission; the number selects one of three kinds in turn. */
async function submission(client: Client, number: number): Promise<Answer> {
	const calls = [
		() => client.call('POST', '/v2/upload?filename=talk.wav'),
		() => client.call('POST', '/v2/edits', { body }),
		() => client.call('POST', '/v2/noise', { body }),
	];
	const call = calls[number % calls.length];
	assert.ok(call);
	return await call();
}

async function statusCall(client: Client): Promise<Answer> {
	return await client.call('GET', '/v2/edits/some-id');
}

/** Makes a number of calls at once and counts the responses by status. */
async function counted(times: number, call: (number: number) => Promise<Answer>) {
	const answers = await Promise.all(Array.from({ length: times }, (_, number) => call(number)));
	const counts = new Map<number, number>();
	for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
	return Object.fromEntries(counts);
}

/** Asserts that a response is a rate limit error and returns its Retry-After in seconds. */
function assertLimited(answer: Answer): number {
	assert.equal(answer.status, 429);
	assert.equal(answer.contentType, 'application/json; charset=utf-8');
	const { error } = faithful(rateLimitErrorSchema, answer.json);
	assert.deepEqual(keysOf(answer.json), ['error']);
	assert.equal(error.code, RATE_LIMIT_ERROR_CODE);
	assert.equal(error.code, 'E9001');
	assert.match(error.message, /rate limit exceeded.*later/i);
	const retryAfter = answer.headers.get('retry-after') ?? '';
	assert.match(retryAfter, /^\d+$/);
	return Number(retryAfter);
}

await test('the rate limits are those of the API', () => {
	assert.equal(SUBMISSIONS_PER_MINUTE_STANDARD, 30);
	assert.equal(STATUS_CALLS_PER_MINUTE, 300);
});

let submissionsFreeAfterSeconds = NaN;

await test('accepts 30 uploads, edits and noise reductions in total, then answers 429', async () => {
	const counts = await counted(33, (number) => submission(ann, number));
	assert.deepEqual(counts, { 200: 30, 429: 3 });
	for (const number of [0, 1, 2]) {
		submissionsFreeAfterSeconds = assertLimited(await submission(ann, number));
	}
});

await test('still answers status calls, deletions and account requests', async () => {
	assert.equal((await statusCall(ann)).status, 200);
	assert.equal((await ann.call('DELETE', '/v2/edits/some-id')).status, 200);
	assert.equal((await ann.call('GET', '/v1/account')).status, 200);
});

await test('each key has its own rate limit', async () => {
	assert.deepEqual(await counted(30, (number) => submission(bob, number)), { 200: 30 });
});

await test('accepts 30 submissions again after Retry-After, not before', async () => {
	assert.ok(submissionsFreeAfterSeconds >= 1);
	pass(submissionsFreeAfterSeconds - 1);
	assertLimited(await submission(ann, 0));
	pass(1);
	const counts = await counted(31, (number) => submission(ann, number));
	assert.deepEqual(counts, { 200: 30, 429: 1 });
});

await test('accepts 300 status calls of a key, then answers 429 until Retry-After', async () => {
	await using fresh = await startService();
	const counts = await counted(302, () => statusCall(fresh.ann));
	assert.deepEqual(counts, { 200: 300, 429: 2 });
	const freeAfterSeconds = assertLimited(await statusCall(fresh.ann));
	assert.equal((await statusCall(fresh.bob)).status, 200);
	assert.equal((await fresh.ann.call('GET', '/v2/configurations')).status, 200);
	assert.equal((await submission(fresh.ann, 0)).status, 200);
	pass(freeAfterSeconds - 1);
	assertLimited(await statusCall(fresh.ann));
	pass(1);
	assert.equal((await statusCall(fresh.ann)).status, 200);
});
