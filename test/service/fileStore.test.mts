import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';

import { TooLarge } from '../../service/shared/sizeLimit.mts';
import { eventually } from '../support/eventually.mts';
import { startS3Server } from './support/s3Server.mts';
import {
	arrive,
	fetched,
	inFolder,
	inS3,
	MINUTE_MS,
	publish,
	wide,
} from './support/storedFiles.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';

await using temporary = await temporaryFolder();
await using s3 = await startS3Server();

/** One suite for all stores. */
const STORES = {
	'in the storage folder': () => inFolder(temporary.path),
	'in S3': () => inS3(temporary.path, s3),
};

await test('a start survives files that leave incoming/ meanwhile', async () => {
	const { scratch } = await inFolder(temporary.path);
	// Listed, but gone when the service looks at it.
	await symlink('gone', scratch.incomingPath());
	const kept = scratch.incomingPath();
	const old = scratch.incomingPath();
	for (const path of [kept, old]) await writeFile(path, 'sound');
	await utimes(old, 0, 0);
	await scratch.emptyIncoming(MINUTE_MS);
	await stat(kept);
	await assert.rejects(stat(old));
});

await test('removes the folder of an edit while its old run still writes there', async () => {
	const { scratch } = await inFolder(temporary.path);
	const { work } = await scratch.startEditFolder('e');
	let isOver = false;
	let count = 0;
	const writing = async () => {
		while (!isOver) {
			await mkdir(work, { recursive: true });
			await writeFile(join(work, `${++count}`), 'sound').catch(() => undefined);
		}
	};
	const writers = Array.from({ length: 4 }, writing);
	await eventually('the old run writes', () => (count > 100 ? true : undefined));
	const removing = scratch.removeEdit('e');
	await wait(100);
	isOver = true;
	await Promise.all([removing, ...writers]);
});

for (const [name, open] of Object.entries(STORES)) {
	await test(`${name}: takes an upload, and again when another file has replaced it`, async () => {
		const parts = await open();
		const { files, scratch } = parts;
		const upload = { id: 'one', fileName: "Größe & 'Maß' (1).wav" };
		const path = scratch.incomingPath();
		assert.equal(await files.takeUpload(upload, path, wide()), undefined);
		for (const text of ['sound', 'longer sound']) {
			await arrive(parts, upload.id, upload.fileName, text);
			const taken = scratch.incomingPath();
			assert.equal(await files.takeUpload(upload, taken, wide()), text.length);
			assert.equal(await readFile(taken, 'utf8'), text);
			assert.equal(await fetched(await files.uploadPlace(upload, MINUTE_MS)), text);
		}
		assert.deepEqual(await files.uploadIds(), ['one']);
	});

	await test(`${name}: keeps an upload that passes through the service`, async () => {
		const { files, scratch } = await open();
		const path = scratch.incomingPath();
		await writeFile(path, 'sound');
		const upload = { id: 'one', fileName: 'a.wav' };
		await files.keepUpload(path, upload);
		assert.deepEqual(await readdir(join(scratch.folder, 'incoming')), []);
		assert.equal(await files.takeUpload(upload, scratch.incomingPath(), wide()), 5);
	});

	await test(`${name}: refuses an upload above the limit before it transfers it`, async () => {
		const parts = await open();
		await arrive(parts, 'one', 'a.wav', 'sound');
		const path = parts.scratch.incomingPath();
		const taking = parts.files.takeUpload({ id: 'one', fileName: 'a.wav' }, path, {
			...wide(),
			limitBytes: 4,
		});
		await assert.rejects(taking, TooLarge);
		await assert.rejects(stat(path));
	});

	await test(`${name}: removes one upload and no other`, async () => {
		const parts = await open();
		for (const id of ['one', 'two']) await arrive(parts, id, 'a.wav', id);
		await parts.files.removeUpload('one');
		await parts.files.removeUpload('never-there');
		assert.deepEqual(await parts.files.uploadIds(), ['two']);
	});

	await test(`${name}: publishes a result, even an empty file, and returns its bytes`, async () => {
		const parts = await open();
		const { files } = parts;
		const texts = { 'größe (1).wav': 'sound', 'texts.json': '{"é":1}', 'empty.csv': '' };
		const kept = await publish(parts, 'e', texts);
		assert.equal(kept.bytes, 5 + 8);
		for (const [fileName, text] of Object.entries(texts)) {
			assert.equal(await files.readResult(kept, fileName), text);
			assert.equal(await fetched(await files.resultPlace(kept, fileName, MINUTE_MS)), text);
		}
		assert.equal(await files.readResult(kept, 'other.json'), undefined);
		assert.deepEqual(await files.editIds(), ['e']);
	});

	await test(`${name}: a later run of an edit replaces the earlier result`, async () => {
		const parts = await open();
		await publish(parts, 'e', { 'a.wav': 'first' });
		const kept = await publish(parts, 'e', { 'a.wav': 'second' });
		assert.equal(await parts.files.readResult(kept, 'a.wav'), 'second');
	});

	await test(`${name}: removes one edit from the store and from this disk, and no other`, async () => {
		const parts = await open();
		const { files, scratch } = parts;
		for (const id of ['e', 'f']) await publish(parts, id, { 'a.wav': id });
		await files.removeEdit('e');
		await files.removeEdit('never-there');
		assert.deepEqual(await files.editIds(), ['f']);
		assert.deepEqual(await scratch.editIds(), ['f']);
	});

	await test(`${name}: the end of a run removes its working files and keeps the result`, async () => {
		const parts = await open();
		const kept = await publish(parts, 'e', { 'a.wav': 'sound' });
		const [run = ''] = await readdir(join(parts.scratch.editFolder('e'), 'work'));
		await parts.files.endRun('e', run);
		assert.equal(await parts.files.readResult(kept, 'a.wav'), 'sound');
		const left = await readdir(parts.scratch.editFolder('e')).catch((): string[] => []);
		assert.ok(!left.includes('work'));
	});
}

await test('in the storage folder, fetched sources count as bytes and links of uploads do not', async () => {
	const { files, scratch } = await inFolder(temporary.path);
	const folders = await scratch.startEditFolder('e');
	await writeFile(join(folders.unfinishedResult, 'a.wav'), '123');
	const fetchedPaths = [scratch.sourcePath('e', 1, 'b.wav')];
	await writeFile(scratch.sourcePath('e', 0, 'a.wav'), 'an upload');
	await writeFile(fetchedPaths[0] ?? '', '4567');
	const { bytes } = await files.keepResult(
		{ editId: 'e', folders, fetchedPaths },
		new AbortController().signal,
	);
	assert.equal(bytes, 7);
});
