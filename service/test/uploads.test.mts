import assert from 'node:assert/strict';
import { copyFile, open, readFile, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { mock, test } from 'node:test';

import { fileUrlOf, resultOf, send } from '../../testkit/service/client.mts';
import { eventually } from '../../testkit/time/eventually.mts';
import { PLAIN as config, shortRecording } from '../../testkit/service/recordings.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';

const LIMIT_BYTES = 200_000;

await using service = await startService(...QUICK, '--source-size-limit-bytes', `${LIMIT_BYTES}`);
const { ann, bob } = service;

const body = shortRecording;

async function statusOfEdit(fileUrl: string, client = ann): Promise<string> {
	return (await client.ended(await client.create({ files: [fileUrl], config }))).status;
}

await test('an upload link can only upload', async () => {
	const link = await ann.uploadLink('talk.wav');
	await send('PUT', link, { body });
	for (const url of [link, fileUrlOf(link)]) {
		const answer = await send('GET', url);
		assert.equal(answer.status, 405, answer.text);
		assert.ok(!answer.bytes.includes('RIFF'));
		for (const method of ['POST', 'DELETE', 'PATCH']) {
			assert.ok((await send(method, url)).status >= 400, method);
		}
	}
	// The signature is for PUT, so it does not download either.
	const asDownload = link.replace('/uploads/', '/downloads/');
	assert.equal((await send('GET', asDownload)).status, 403);
	assert.equal(await statusOfEdit(fileUrlOf(link)), 'SUCCESS');
});

await test('refuses a modified upload link and stores nothing', async () => {
	const link = await ann.uploadLink('talk.wav');
	const other = await ann.uploadLink('talk.wav');
	const changed = {
		'no signature': fileUrlOf(link),
		'no expiry': link.replace(/expires=\d+&/, ''),
		'a later expiry': link.replace(/expires=\d/, 'expires=9'),
		'another signature': link.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
		'a shorter signature': link.slice(0, -2),
		'an empty signature': link.replace(/signature=.*/, 'signature='),
		'another file name': link.replace('talk.wav', 'tall.wav'),
		"another link's signature": fileUrlOf(link) + other.slice(other.indexOf('?')),
	};
	for (const [what, url] of Object.entries(changed)) {
		assert.notEqual(url, link, what);
		assert.equal((await send('PUT', url, { body })).status, 403, what);
	}
	assert.equal(await statusOfEdit(fileUrlOf(link)), 'FAILURE');
	assert.deepEqual(await service.folder('incoming'), []);
});

await test('a second upload to the same link replaces the first, until an edit has it', async () => {
	const link = await ann.uploadLink('talk.wav');
	await send('PUT', link, { body: 'no recording' });
	assert.equal(await statusOfEdit(fileUrlOf(link)), 'FAILURE');
	await send('PUT', link, { body });
	assert.equal(await statusOfEdit(fileUrlOf(link)), 'SUCCESS');
	const third = await send('PUT', link, { body });
	assert.equal(third.status, 409);
	assert.match(third.text, /An edit uses this upload: request another upload link/);
});

await test('an edit has the uploads of all its tracks, from its creation on', async () => {
	const links = [await ann.uploadLink('a.wav'), await ann.uploadLink('b.wav')];
	for (const link of links) assert.equal((await send('PUT', link, { body })).status, 200);
	const id = await ann.create({ files: links.map(fileUrlOf), config, upload_type: 'multitrack' });
	for (const link of links) assert.equal((await send('PUT', link, { body })).status, 409);
	assert.equal((await ann.ended(id)).status, 'SUCCESS');
	for (const link of links) assert.equal((await send('PUT', link, { body })).status, 409);
});

await test('a file URL works with and without its query, but only with its own key', async () => {
	const link = await ann.uploadLink('talk.wav');
	await send('PUT', link, { body });
	assert.equal(await statusOfEdit(fileUrlOf(link), bob), 'FAILURE');
	assert.equal(await statusOfEdit(link, bob), 'FAILURE');
	assert.equal(await statusOfEdit(fileUrlOf(link)), 'SUCCESS');
	assert.equal(await statusOfEdit(link), 'SUCCESS');
	const never = await ann.uploadLink('talk.wav');
	assert.equal(await statusOfEdit(fileUrlOf(never)), 'FAILURE');
});

await test('removes what arrived of a broken transfer', async () => {
	for (const headers of [{ 'Content-Length': body.length }, { 'Transfer-Encoding': 'chunked' }]) {
		const link = await ann.uploadLink('talk.wav');
		const id = fileUrlOf(link).split('/').at(-2) ?? '';
		const upload = request(link, { method: 'PUT', headers });
		upload.on('error', () => undefined);
		upload.write(body.subarray(0, 20_000));
		const arriving = () => service.folder('incoming');
		await eventually('the upload has begun', async () => (await arriving()).length > 0);
		upload.destroy();
		await eventually('the partial file is gone', async () => (await arriving()).length === 0);
		assert.ok(!(await service.folder('uploads')).includes(id));
		assert.equal(await statusOfEdit(fileUrlOf(link)), 'FAILURE');
		await send('PUT', link, { body });
		assert.deepEqual(await readFile(join(service.storage, 'uploads', id, 'file')), body);
	}
});

await test('refuses a file above the size limit and keeps nothing of it', async () => {
	const link = await ann.uploadLink('talk.wav');
	const id = fileUrlOf(link).split('/').at(-2) ?? '';
	const inOnePiece = await send('PUT', link, { body: Buffer.alloc(LIMIT_BYTES + 1) });
	assert.equal(inOnePiece.status, 413);
	const inPieces = ReadableStream.from([new Uint8Array(LIMIT_BYTES), new Uint8Array(1)]);
	const answer = await fetch(link, { method: 'PUT', body: inPieces, duplex: 'half' });
	assert.equal(answer.status, 413);
	assert.deepEqual(await service.folder('incoming'), []);
	assert.ok(!(await service.folder('uploads')).includes(id));
	assert.equal((await send('PUT', link, { body: Buffer.alloc(LIMIT_BYTES) })).status, 200);
});

const NAMES = [
	'../../../etc/passwd.wav',
	'..\\..\\windows\\system.wav',
	'..',
	'.hidden.wav',
	'a "quoted" \'name\' with $(touch x); `y`.wav',
	'пример 🎙️ 录音.wav',
	'100% & more?#.wav',
	'line\r\nbreak\u0000.wav',
	`${'long '.repeat(60)}.wav`,
	`${'🎧'.repeat(300)}.wav`,
	`name.${'x'.repeat(14)}🎧.wav`,
	`name.${'x'.repeat(14)}🎧`,
	`.${'x'.repeat(300)}`,
	' ',
	'-i.wav',
	'file:concat.wav',
];

await test('uploads, edits and downloads files of any name', async () => {
	const tried = NAMES.map(async (name) => {
		const edit = await ann.run(body, { remove_noise: false, export_format: 'wav' }, name);
		const { filename = '', download_url: link = '' } = resultOf(edit);
		assert.match(filename, /-edited\.wav$/, name);
		assert.ok(!/[/\\\p{Cc}:*?"<>|]|^\./u.test(filename), filename);
		assert.ok(Buffer.byteLength(filename) <= 255, filename);
		const answer = await send('GET', link);
		assert.equal(answer.status, 200, `${name}: ${answer.text}`);
		const folder = join(service.storage, 'edits', edit.task_id, 'result');
		assert.deepEqual(await readFile(join(folder, filename)), answer.bytes);
	});
	await Promise.all(tried);
});

await test('upload and download links expire', async () => {
	const short = ['--upload-link-minutes', '10', '--download-link-minutes', '10'];
	await using hasty = await startService(...short);
	const link = await hasty.ann.uploadLink('talk.wav');
	const other = await hasty.ann.uploadLink('other.wav');
	const { task_id: id } = await hasty.ann.run(body, { remove_noise: false });
	const download = resultOf(await hasty.ann.edit(id)).download_url ?? '';
	assert.equal((await send('GET', download)).status, 200);
	hasty.clock.advance(9 * 60_000);
	assert.equal((await send('GET', download)).status, 200);
	assert.equal((await send('PUT', other, { body })).status, 200);
	hasty.clock.advance(2 * 60_000);
	assert.equal((await send('GET', download)).status, 403);
	const late = await send('PUT', link, { body });
	assert.equal(late.status, 403);
	assert.match(late.text, /expired/);
	const again = resultOf(await hasty.ann.edit(id)).download_url ?? '';
	assert.notEqual(again, download);
	assert.equal((await send('GET', again)).status, 200);
});

/** Returns the size that the row of each upload names, and that of its file. */
async function uploadSizes(storage: string) {
	// The service has locked its own.
	await using copy = await temporaryFolder();
	for (const name of ['service.sqlite', 'service.sqlite-wal']) {
		await copyFile(join(storage, name), join(copy.path, name));
	}
	using database = new DatabaseSync(join(copy.path, 'service.sqlite'));
	const rows = database.prepare('SELECT id, bytes FROM uploads WHERE bytes > 0').all();
	const files = rows.map(({ id }) => stat(join(storage, 'uploads', String(id), 'file')));
	const named = rows.map(({ bytes }) => bytes);
	return { named, found: (await Promise.all(files)).map(({ size }) => size) };
}

await test('parallel uploads to one link record the size of the file that stays', async () => {
	for (let round = 0; round < 10; round++) {
		const link = await ann.uploadLink('talk.wav');
		const puts = [70_000, 10_000, 40_000].map((bytes) =>
			send('PUT', link, { body: Buffer.alloc(bytes) }),
		);
		for (const { status } of await Promise.all(puts)) assert.equal(status, 200);
	}
	const { named, found } = await uploadSizes(service.storage);
	assert.deepEqual(named, found);
});

// The file is flushed before it is renamed, and its folder afterwards.
for (const [flush, kept] of [
	[1, 10_000],
	[2, 20_000],
] as const) {
	await test(`a replacement whose flush ${flush} fails records the size of the file that stays`, async () => {
		await using own = await startService(...QUICK);
		const link = await own.ann.uploadLink('talk.wav');
		const put = (bytes: number) => send('PUT', link, { body: Buffer.alloc(bytes) });
		assert.equal((await put(10_000)).status, 200);
		await using probe = await open(own.storage);
		const handles = Object.getPrototypeOf(probe) as { sync(): Promise<void> };
		const sync = mock.method(handles, 'sync', () =>
			sync.mock.callCount() === flush - 1 ? Promise.reject(new Error('EIO')) : Promise.resolve(),
		);
		const { status } = await put(20_000).finally(() => {
			sync.mock.restore();
		});
		assert.equal(status, 500);
		assert.deepEqual(await uploadSizes(own.storage), { named: [kept], found: [kept] });
	});
}

await test('refuses a part of a file, and keeps the whole one', async () => {
	await using own = await startService(...QUICK);
	const link = await own.ann.uploadLink('talk.wav');
	assert.equal((await send('PUT', link, { body: Buffer.alloc(10_000) })).status, 200);
	const headers = { 'Content-Range': 'bytes 0-4999/10000' };
	const part = await send('PUT', link, { body: Buffer.alloc(5_000), headers });
	assert.equal(part.status, 400);
	assert.match(part.text, /Content-Range: send the whole file/);
	assert.deepEqual(await uploadSizes(own.storage), { named: [10_000], found: [10_000] });
});
