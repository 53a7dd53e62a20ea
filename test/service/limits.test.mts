import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';

import { rateLimitErrorSchema, validationErrorSchema } from '../../service/shared/contract.mts';
import { send } from './support/client.mts';
import { faithful } from './support/faithful.mts';
import { startOutsideServer } from './support/servers.mts';
import { QUICK, startService } from './support/testService.mts';
import { readSettings } from '../../service/shared/settings.mts';

await using service = await startService(...[...QUICK, '--most-queued-edits', '3']);
const { ann, bob } = service;

const config = { remove_noise: false } as const;

/** Accepts requests and never answers. */
await using silent = await startOutsideServer(() => undefined);

await test('refuses an edit of more than 32 files', async () => {
	const files = Array.from({ length: 33 }, (_, index) => `${silent.url}/${index}.wav`);
	const answer = await ann.call('POST', '/v2/edits', { body: { input: { files, config } } });
	assert.equal(answer.status, 422);
	const [detail] = faithful(validationErrorSchema, answer.json).detail;
	assert.deepEqual(detail.loc, ['body', 'input', 'files']);
	assert.match(detail.msg, /at most 32 items/);
	assert.equal(readSettings([]).mostTracks, 32);
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
	assert.deepEqual(
		answers.map(({ status }) => status),
		[200, 200, 200],
	);
	const refused = await submit();
	assert.equal(refused.status, 429);
	assert.match(faithful(rateLimitErrorSchema, refused.json).error.message, /3 edits .* unfinished/);
	assert.equal((await submit(bob)).status, 200);
	for (const { json } of answers) {
		const { id } = json as { id: string };
		await ann.call('DELETE', `/v2/edits/${id}`);
	}
	assert.equal((await submit()).status, 200);
});

await test('standard and enterprise keys have separate rate limits', async () => {
	const keys = ['--api-key', 'plain-key', '--api-key', 'large=key=enterprise'];
	await using both = await startService(
		...[...keys, '--submissions-per-minute', '2', '--enterprise-submissions-per-minute', '4'],
	);
	const accepted = async (key: string) => {
		const answers = await Promise.all(
			Array.from({ length: 6 }, () =>
				send('POST', `${both.url}/v2/upload?filename=a.wav`, { headers: { 'X-API-Key': key } }),
			),
		);
		return answers.filter(({ status }) => status === 200).length;
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

/** Sends a whole request before reading, as many programs do, and returns the response. */
function answerTo(head: string, body: Buffer): Promise<string> {
	const { port } = new URL(service.url);
	return new Promise((resolve, reject) => {
		const socket = connect(Number(port), '127.0.0.1');
		socket.on('error', reject);
		socket.pause();
		socket.write(head);
		socket.write(body, () => {
			socket.setEncoding('utf8').once('data', resolve);
			socket.resume();
		});
	});
}

await test('reads an oversized body to its end and answers 413', async () => {
	const body = Buffer.alloc(16_000_000, 'a');
	for (let round = 0; round < 4; round++) {
		const head = [
			...['POST /v2/edits HTTP/1.1', 'Host: localhost', `X-API-Key: ${ann.key}`],
			...['Content-Type: application/json', `Content-Length: ${body.length}`, '', ''],
		];
		assert.match(await answerTo(head.join('\r\n'), body), /^HTTP\/1\.1 413 /);
	}
});
