import assert from 'node:assert/strict';
import { mkdir, readdir, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { TransientTrouble } from '../../shared/failures.mts';
import type { FileStore } from '../../store/files/fileStore.mts';
import { partBytesFor } from '../../store/files/s3Transfer.mts';
import { send } from '../../../testkit/service/client.mts';
import { FILE_STORE_SUITE } from '../support/fileStoreSuite.mts';
import { startS3Server } from '../../../testkit/service/s3Server.mts';
import { arrive, inS3, MEBIBYTE, publish, wide } from '../support/storedFiles.mts';
import { runSuite } from '../support/suite.mts';
import { longAgo } from '../../../testkit/time/serviceTime.mts';
import { temporaryFolder } from '../../../testkit/process/temporaryFolder.mts';

await using temporary = await temporaryFolder();
await using s3 = await startS3Server();

await runSuite('in S3', () => inS3(temporary.path, s3), FILE_STORE_SUITE);

await test('in S3, removing a lost run leaves the run that counts', async () => {
	const parts = await inS3(temporary.path, s3);
	const lost = await publish(parts, 'e', { 'a.wav': 'lost' });
	const counting = await publish(parts, 'e', { 'a.wav': 'counts' });
	await parts.files.removeRun(lost);
	assert.equal(await parts.files.readResult(lost, 'a.wav'), undefined);
	assert.equal(await parts.files.readResult(counting, 'a.wav'), 'counts');
});

await test('in S3, a run without a result leaves nothing on this disk, and another run its files', async () => {
	const { scratch } = await inS3(temporary.path, s3);
	const own = await scratch.startEditFolder('e');
	await writeFile(scratch.sourcePath('e', 0, 'a.wav'), 'sound');
	await mkdir(join(scratch.editFolder('e'), 'work', 'of-another'));
	await scratch.removeRun('e', own.run);
	const left = await readdir(scratch.editFolder('e'), { recursive: true });
	assert.deepEqual(left.toSorted(), ['source-1.wav', 'work', join('work', 'of-another')]);
	await scratch.removeRun('e', 'of-another');
	assert.deepEqual(await scratch.editIds(), []);
});

await test('in S3, of two services that start together, one owns the prefix', async () => {
	const { files } = await inS3(temporary.path, s3);
	// Names of services have one length. s3rver writes in place, so it mixes two of other lengths.
	const ask = () => Promise.all(['service-1', 'service-2'].map((name) => files.isOwnPlace(name)));
	const both = await ask();
	assert.deepEqual(both.toSorted(), [false, true]);
	// The owner stays the owner, for all its processes, and the mark of it is no edit.
	assert.deepEqual(await ask(), both);
	assert.deepEqual(await files.editIds(), []);
});

async function urlOf(files: FileStore, lifetimeMs: number): Promise<URL> {
	const place = await files.uploadPlace({ id: 'one', fileName: 'a ü.wav' }, lifetimeMs);
	assert.ok('url' in place);
	return new URL(place.url);
}

await test('signed S3 URLs carry the file name and type, and last as long as asked, up to seven days', async () => {
	const parts = await inS3(temporary.path, s3);
	const { files } = parts;
	await arrive(parts, 'one', 'a ü.wav', 'sound');
	const url = await urlOf(files, 90_500);
	assert.equal(url.origin, s3.origin);
	assert.equal(files.remoteOrigin, s3.origin);
	assert.match(url.pathname, /\/uploads\/one\/a%20%C3%BC\.wav$/);
	assert.equal(url.searchParams.get('X-Amz-Expires'), '90');
	const { headers } = await send('GET', url.href);
	assert.equal(headers.get('content-type'), 'audio/wav');
	assert.equal(headers.get('content-disposition'), "attachment; filename*=UTF-8''a%20%C3%BC.wav");
	const long = await urlOf(files, 30 * 86_400_000);
	assert.equal(long.searchParams.get('X-Amz-Expires'), '604800');
	const brief = await longAgo(() => urlOf(files, 1));
	assert.equal((await send('GET', brief.href)).status, 403);
	const upload = { id: 'two', fileName: 'b.wav' };
	const put = new URL((await longAgo(() => files.uploadUrl(upload, 1_000))) ?? '');
	assert.deepEqual(
		[...put.searchParams.keys()].filter((key) =>
			/checksum|trailer|content-(type|length|md5)/i.test(key),
		),
		[],
	);
	assert.equal(put.searchParams.get('X-Amz-SignedHeaders'), 'host');
	assert.equal((await send('PUT', put.href, { body: 'late' })).status, 403);
});

await test('100 GB fit into the parts that S3 takes, and parts are never too small', () => {
	assert.ok(Math.ceil(100e9 / partBytesFor(100e9)) <= 10_000);
	assert.equal(partBytesFor(1), 8 * MEBIBYTE);
});

await test('a 240 MiB file goes to S3 and back without filling the memory', async () => {
	const { files, scratch } = await inS3(temporary.path, s3);
	const bytes = 240 * MEBIBYTE;
	const path = scratch.incomingPath();
	await writeFile(path, 'RIFF');
	await truncate(path, bytes);
	const upload = { id: 'one', fileName: 'long.wav' };
	const usedBytes = () => process.memoryUsage().arrayBuffers;
	const before = usedBytes();
	let most = 0;
	const timer = setInterval(() => {
		most = Math.max(most, usedBytes() - before);
	}, 5);
	try {
		await files.keepUpload(path, upload);
		const taken = scratch.incomingPath();
		assert.equal(await files.copyUpload(upload, taken, wide()), bytes);
		assert.equal((await stat(taken)).size, bytes);
	} finally {
		clearInterval(timer);
	}
	console.log(`240 MiB: at most ${Math.round(most / MEBIBYTE)} MiB of buffers`);
	assert.ok(most < 160 * MEBIBYTE, `${most} bytes of buffers`);
});

await test('publishing to S3 stops when its signal aborts, and leaves no file', async () => {
	const { files, scratch } = await inS3(temporary.path, s3);
	const folders = await scratch.startEditFolder('e');
	const path = join(folders.unfinishedResult, 'long.wav');
	await writeFile(path, 'RIFF');
	await truncate(path, 60 * MEBIBYTE);
	const stopping = new AbortController();
	const publishing = files.keepResult('e', folders, stopping.signal);
	setTimeout(() => {
		stopping.abort(new Error('stopped'));
	}, 30);
	await assert.rejects(publishing, /stopped/);
	const run = { editId: 'e', run: folders.run };
	assert.equal(await files.readResult(run, 'long.wav'), undefined);
});

await test('an outage of S3 is transient trouble, and a missing local file is not', async () => {
	const parts = await inS3(temporary.path, s3);
	const { files, scratch } = parts;
	await arrive(parts, 'one', 'a.wav', 'sound');
	const upload = { id: 'one', fileName: 'a.wav' };
	const missing = files.keepUpload(scratch.incomingPath(), upload);
	await assert.rejects(missing, (error: Error) => !(error instanceof TransientTrouble));
	const nowhere = join(temporary.path, 'no-such-folder', 'a.wav');
	await assert.rejects(files.copyUpload(upload, nowhere, wide()), { code: 'ENOENT' });
	await s3.stop();
	try {
		for (const asking of [
			() => files.copyUpload(upload, scratch.incomingPath(), wide()),
			() => files.removeUpload('one'),
			() => files.uploadIds(),
			() => files.readResult({ editId: 'e', run: 'r' }, 'a.json'),
			() => publish(parts, 'e', { 'a.wav': 'sound' }),
		]) {
			await assert.rejects(asking(), (error) => {
				assert.ok(error instanceof TransientTrouble);
				assert.match(
					error.message,
					/ failed: no usable response from the object storage \(ECONNREFUSED\)$/,
				);
				return true;
			});
		}
	} finally {
		await s3.restart();
	}
	assert.equal(await files.copyUpload(upload, scratch.incomingPath(), wide()), 5);
});
