import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { test } from 'node:test';

import { eventually } from '../../testkit/time/eventually.mts';
import { resultOf, send } from '../../testkit/service/client.mts';
import { PLAIN as config, shortRecording } from '../../testkit/service/recordings.mts';
import { answering, startOutsideServer } from '../../testkit/service/servers.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';

const QUOTA_BYTES = 200_000;

/** Returns the sizes of the files in these folders of a storage, by inode, since an edit links its uploads. */
async function filesOnDisk(
	storage: string,
	folders: readonly string[],
): Promise<ReadonlyMap<number, number>> {
	const sizes = new Map<number, number>();
	for (const name of folders) {
		const options = { recursive: true, withFileTypes: true } as const;
		for (const entry of await readdir(join(storage, name), options).catch(() => [])) {
			// A file that is gone by now counts no more.
			const found = await stat(join(entry.parentPath, entry.name)).catch(() => undefined);
			if (found && entry.isFile()) sizes.set(found.ino, found.size);
		}
	}
	return sizes;
}

/** Returns the bytes that count against a quota: of uploads, sources and results. */
async function countedBytes(storage: string): Promise<number> {
	const sizes = await filesOnDisk(storage, ['edits', 'uploads']);
	return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

await test('refuses uploads above the storage quota, and edits once it is used up', async () => {
	await using service = await startService(...QUICK, '--quota-bytes', String(QUOTA_BYTES));
	const { ann, bob } = service;
	const link = await bob.uploadLink('large.wav');
	const large = await send('PUT', link, { body: Buffer.alloc(QUOTA_BYTES + 1) });
	assert.equal(large.status, 413);
	await bob.upload(Buffer.alloc(150_000));
	const second = await bob.uploadLink('second.wav');
	const tooMuch = await send('PUT', second, { body: Buffer.alloc(60_000) });
	assert.equal(tooMuch.status, 413, tooMuch.text);
	const left = /what is left of the storage quota of this API key \(50000 of 200000 bytes\)/;
	assert.match(tooMuch.text, left);
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

await test('parallel uploads hold no more bytes than the quota while they arrive', async () => {
	await using small = await startService(...QUICK, '--quota-bytes', String(QUOTA_BYTES));
	const begin = async () => {
		const upload = request(await small.ann.uploadLink('a.wav'), { method: 'PUT' });
		upload.write(Buffer.alloc(60_000));
		return upload;
	};
	const uploads = await Promise.all(Array.from({ length: 9 }, begin));
	await eventually('three have arrived, and the others are refused', async () => {
		const sizes = [...(await filesOnDisk(small.storage, ['incoming'])).values()];
		return sizes.length === 3 && sizes.every((size) => size === 60_000);
	});
	const statuses = uploads.map(async (upload) => {
		const answered = once(upload, 'response') as Promise<[IncomingMessage]>;
		upload.end();
		const [response] = await answered;
		const text = await textOf(response);
		if (response.statusCode === 413) assert.match(text, /storage quota of .* of 200000 bytes/);
		return response.statusCode;
	});
	assert.deepEqual((await Promise.all(statuses)).toSorted(), [
		...Array<number>(3).fill(200),
		...Array<number>(6).fill(413),
	]);
	assert.deepEqual(await small.folder('incoming'), []);
	assert.equal(await countedBytes(small.storage), 180_000);
});

await test('sources of URLs count while they arrive: the edit fails, and nothing of it stays', async () => {
	await using small = await startService(...QUICK, '--quota-bytes', '100000');
	await small.ann.upload(Buffer.alloc(20_000));
	await using web = await startOutsideServer(answering(200, shortRecording));
	const files = Array.from({ length: 8 }, (_, index) => `${web.url}/${index}.wav`);
	const id = await small.ann.create({ files, upload_type: 'multitrack', config });
	assert.equal((await small.ann.ended(id)).status, 'FAILURE');
	const reason =
		/FAILURE \(Fetching .*2.wav: .* storage quota of this API key \(\d+ of 100000 bytes\)/;
	assert.match(small.logOf(id).join('\n'), reason);
	assert.equal(web.visits.length, 3);
	await eventually('nothing of it stays', async () => (await small.folder('edits')).length === 0);
	// What a failed edit gave back, an upload may use.
	await small.ann.upload(Buffer.alloc(80_000));
});

await test('a finished edit of a URL counts with its source until it is deleted', async () => {
	await using roomy = await startService(...QUICK, '--quota-bytes', '1000000');
	await using web = await startOutsideServer(answering(200, shortRecording));
	const id = await roomy.ann.create({ files: [`${web.url}/talk.wav`], config });
	resultOf(await roomy.ann.ended(id));
	const stored = await countedBytes(roomy.storage);
	assert.ok(stored > shortRecording.length);
	const link = await roomy.ann.uploadLink('a.wav');
	const put = (bytes: number) => send('PUT', link, { body: Buffer.alloc(bytes) });
	assert.equal((await put(1_000_001 - stored)).status, 413);
	assert.equal((await put(1_000_000 - stored)).status, 200);
	await roomy.ann.call('DELETE', `/v2/edits/${id}`);
	assert.equal((await put(1_000_000)).status, 200);
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
	await using small = await startService(...QUICK, '--quota-bytes', '100000');
	const url = await small.ann.upload(shortRecording);
	const submitted = Array.from({ length: 6 }, () => small.ann.create({ files: [url], config }));
	const edits = await Promise.all(submitted.map(async (id) => small.ann.ended(await id)));
	const failed = edits.filter(({ status }) => status === 'FAILURE');
	assert.ok(failed.length > 0 && failed.length < 6, `${failed.length} failed`);
	const reason = /FAILURE \(The result.* storage quota of this API key \(\d+ of 100000 bytes\)/;
	for (const { task_id: id } of failed) assert.match(small.logOf(id).join('\n'), reason);
	const areGone = async () => (await small.folder('edits')).length === 6 - failed.length;
	await eventually('nothing of them stays', areGone);
	const stored = await countedBytes(small.storage);
	assert.ok(stored > 50_000 && stored <= 100_000, `${stored} bytes`);
});

await test('a result that the quota refuses is not delivered', async () => {
	await using small = await startService(...QUICK, '--quota-bytes', '60000');
	await using storage = await startOutsideServer(answering(200));
	const signed_url = `${storage.url}/edited.wav?signature=1`;
	const edit = await small.ann.run(shortRecording, { ...config, signed_url });
	assert.match(small.logOf(edit.task_id).at(-1) ?? '', /FAILURE \(The result .* storage quota/);
	assert.deepEqual(storage.visits, []);
});
