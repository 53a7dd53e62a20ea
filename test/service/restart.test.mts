import assert from 'node:assert/strict';
import { request } from 'node:http';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { lengthSeconds } from '../support/recording.ts';
import { startChildService } from './support/childService.mts';
import { fileUrlOf, finishedFile } from './support/client.mts';
import { eventually } from '../support/eventually.mts';
import { decodedSeconds } from './support/media.mts';
import { TALK, TALK_REMOVED_SECONDS, talk } from './support/recordings.mts';
import { reply, startOutsideServer } from './support/servers.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';
import { ANNS_KEY, QUICK_PROCESS } from './support/testService.mts';

await using temporary = await temporaryFolder();
const storage = temporary.path;

/** Begins an upload that never ends. */
async function beginUpload(link: string): Promise<void> {
	const upload = request(link, { method: 'PUT', headers: { 'Content-Length': '1000000' } });
	upload.on('error', () => undefined);
	upload.write(Buffer.alloc(10_000));
	await eventually('the upload has begun', async () =>
		(await readdir(join(storage, 'incoming'))).at(0),
	);
}

await test('finishes running and queued edits at the start after kill -9', async () => {
	// The first delivery is never answered, so the process dies before that edit ends.
	await using outside = await startOutsideServer((_visit, response, before) => {
		if (before > 0) reply(response, 200);
	});
	await using first = await startChildService(storage, ...QUICK_PROCESS, '--concurrency', '1');
	const files = [await first.client.upload(talk)];
	const config = { long_silences: true, remove_noise: false } as const;
	const signed_url = `${outside.url}/edited.wav?signature=1`;
	const running = await first.client.create({ files, config: { ...config, signed_url } });
	await eventually('the edit is nearly done', () => outside.visits.at(0));
	const queued = await first.client.create({ files, config });
	const brokenLink = await first.client.uploadLink('half.wav');
	await beginUpload(brokenLink);
	assert.deepEqual(await first.kill('SIGKILL'), { code: null, signal: 'SIGKILL' });
	const left = await readdir(join(storage, 'edits', running));
	assert.ok(left.includes('work'), 'the edit was not running');
	assert.ok(!left.includes('result'), 'a result before the end');

	await using second = await startChildService(storage, ...QUICK_PROCESS);
	assert.equal(second.client.key, first.client.key);
	assert.equal((await second.client.ended(running)).status, 'SUCCESS');
	const { file } = await finishedFile(await second.client.ended(queued));
	assert.equal(outside.visits.length, 2);
	for (const edited of [outside.visits[1].body, file]) {
		const expected = lengthSeconds(TALK) - TALK_REMOVED_SECONDS;
		assert.ok(Math.abs((await decodedSeconds(edited)) - expected) <= 0.15);
	}
	for (const id of [running, queued]) {
		const kept = await readdir(join(storage, 'edits', id));
		assert.deepEqual(kept.toSorted(), ['result', 'source-1.wav']);
		const names = ['edits.json', 'recording-edited.wav', 'waveform.json'];
		assert.deepEqual((await readdir(join(storage, 'edits', id, 'result'))).toSorted(), names);
	}
	assert.deepEqual(await readdir(join(storage, 'incoming')), []);
	const half = await second.client.create({ files: [brokenUrl(brokenLink, second.client.url)] });
	assert.equal((await second.client.ended(half)).status, 'FAILURE');
	assert.deepEqual(await second.kill('SIGTERM'), { code: 0, signal: null });
});

/** Returns the file URL of an upload link at the service's new address. */
function brokenUrl(link: string, url: string): string {
	return fileUrlOf(link).replace(new URL(link).origin, url);
}

await test('logs neither keys nor signatures', async () => {
	await using service = await startChildService(storage, ...QUICK_PROCESS, '--api-key', ANNS_KEY);
	const signed_url = 'http://127.0.0.1:9/bucket?signature=bucket-signature';
	await service.client.run(talk, { remove_noise: false, signed_url });
	await service.kill('SIGTERM');
	assert.ok(service.log.some((line) => line.includes('Delivering to http://127.0.0.1:9/bucket')));
	const secrets = [ANNS_KEY, 'signature', 'expires='];
	assert.deepEqual(
		service.log.filter((line) => secrets.some((secret) => line.includes(secret))),
		[],
	);
});
