import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';

import { rateLimitErrorSchema, validationErrorSchema } from '../../service/shared/contract.mts';
import { eventually } from '../support/eventually.mts';
import { resultOf, send } from './support/client.mts';
import { faithful } from './support/faithful.mts';
import { countedBytes } from './support/filesOnDisk.mts';
import { shortRecording } from './support/recordings.mts';
import { startOutsideServer } from './support/servers.mts';
import { QUICK, startService } from './support/testService.mts';
import { readSettings } from '../../service/shared/settings.mts';

const QUOTA_BYTES = 200_000;

await using service = await startService(
	...[...QUICK, '--quota-bytes', String(QUOTA_BYTES), '--most-queued-edits', '3'],
);
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

await test('refuses uploads above the storage quota, and edits once it is used up', async () => {
	const link = await bob.uploadLink('large.wav');
	const large = await send('PUT', link, { body: Buffer.alloc(QUOTA_BYTES + 1) });
	assert.equal(large.status, 413);
	await bob.upload(Buffer.alloc(150_000));
	const second = await bob.uploadLink('second.wav');
	const tooMuch = await send('PUT', second, { body: Buffer.alloc(60_000) });
	assert.equal(tooMuch.status, 413, tooMuch.text);
	assert.match(
		tooMuch.text,
		/what is left of the storage quota of this API key \(50000 of 200000 bytes\)/,
	);
	assert.equal((await send('PUT', second, { body: Buffer.alloc(50_000) })).status, 200);
	for (const answer of [
		await bob.call('POST', '/v2/upload?filename=a.wav'),
		await bob.call('POST', '/v2/edits', { body: { input: { files: [second], config } } }),
	]) {
		assert.equal(answer.status, 413);
		assert.match(answer.text, /quota of this API key \(200000 bytes\) is used up/);
	}
	assert.equal((await ann.call('POST', '/v2/upload?filename=a.wav')).status, 200);
});

await test('parallel uploads do not exceed the storage quota together', async () => {
	await using roomy = await startService(...QUICK, '--quota-bytes', String(QUOTA_BYTES));
	const put = async () => {
		const headers = { 'Content-Length': '150000' };
		const upload = request(await roomy.ann.uploadLink('a.wav'), { method: 'PUT', headers });
		upload.write(Buffer.alloc(1_000));
		return upload;
	};
	const uploads = [await put(), await put()];
	await eventually('both uploads have begun', async () =>
		(await roomy.folder('incoming')).length === 2 ? true : undefined,
	);
	const statuses = uploads.map(async (upload) => {
		const answered = once(upload, 'response') as Promise<[IncomingMessage]>;
		upload.end(Buffer.alloc(149_000));
		const [response] = await answered;
		response.resume();
		return response.statusCode;
	});
	assert.deepEqual((await Promise.all(statuses)).toSorted(), [200, 413]);
	assert.equal((await roomy.folder('uploads')).length, 1);
	await roomy.ann.upload(Buffer.alloc(50_000));
});

await test('a finished edit counts against the quota until it is deleted', async () => {
	await using roomy = await startService(...QUICK, '--quota-bytes', '100000');
	const edit = await roomy.ann.run(shortRecording, config);
	resultOf(edit);
	// The upload takes 32 kB; the result with its waveforms takes as much again.
	const link = await roomy.ann.uploadLink('a.wav');
	const put = () => send('PUT', link, { body: Buffer.alloc(40_000) });
	assert.equal((await put()).status, 413);
	await roomy.ann.call('DELETE', `/v2/edits/${edit.task_id}`);
	assert.equal((await put()).status, 200);
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

await test('a replacement that the quota refuses leaves the earlier upload', async () => {
	await using roomy = await startService(...QUICK, '--quota-bytes', String(QUOTA_BYTES));
	const link = await roomy.ann.uploadLink('a.wav');
	assert.equal((await send('PUT', link, { body: Buffer.alloc(50_000, 1) })).status, 200);
	const replacement = request(link, { method: 'PUT' });
	const answered = once(replacement, 'response') as Promise<[IncomingMessage]>;
	replacement.write(Buffer.alloc(1_000));
	await eventually('the replacement has begun', async () => (await roomy.folder('incoming')).at(0));
	await roomy.ann.upload(Buffer.alloc(120_000));
	replacement.end(Buffer.alloc(90_000));
	const [response] = await answered;
	assert.equal(response.resume().statusCode, 413);
	const [, id = ''] = /uploads\/([^/]+)/.exec(link) ?? [];
	const kept = await readFile(join(roomy.storage, 'uploads', id, 'file'));
	assert.ok(kept.equals(Buffer.alloc(50_000, 1)));
	assert.equal((await roomy.ann.call('POST', '/v2/upload?filename=a.wav')).status, 200);
});

await test('results never exceed the quota: the edit ends with FAILURE, and nothing of it stays', async () => {
	const quotaBytes = 100_000;
	await using small = await startService(...QUICK, '--quota-bytes', String(quotaBytes));
	const url = await small.ann.upload(shortRecording);
	const ids = await Promise.all(
		Array.from({ length: 6 }, () => small.ann.create({ files: [url], config })),
	);
	const edits = await Promise.all(ids.map((id) => small.ann.ended(id)));
	const failed = edits.filter(({ status }) => status === 'FAILURE');
	assert.ok(failed.length > 0 && failed.length < 6, `${failed.length} failed`);
	for (const { task_id: id } of failed) {
		assert.match(
			small.logOf(id).join('\n'),
			/FAILURE \(The result.* storage quota of this API key \(\d+ of 100000 bytes\)/,
		);
	}
	assert.equal((await small.folder('edits')).length, 6 - failed.length);
	const stored = await countedBytes(small.storage);
	assert.ok(stored > quotaBytes / 2 && stored <= quotaBytes, `${stored} bytes`);
});
