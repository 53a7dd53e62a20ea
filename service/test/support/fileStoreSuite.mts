import assert from 'node:assert/strict';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { TooLarge } from '../../shared/sizeLimit.mts';
import { BEGINNING } from '../../store/files/scratch.mts';
import type { OpenFiles } from '../../store/files/openFiles.mts';
import { arrive, fetched, MINUTE_MS, publish, wide } from './storedFiles.mts';
import type { Suite } from './suite.mts';

/** What every new, empty store of files does. */
export const FILE_STORE_SUITE: Suite<OpenFiles> = {
	'takes an upload, and again when another file has replaced it': async (parts) => {
		const { files, scratch } = parts;
		const upload = { id: 'one', fileName: "Größe & 'Maß' (1).wav" };
		const path = scratch.incomingPath();
		assert.equal(await files.copyUpload(upload, path, wide()), undefined);
		for (const text of ['sound', 'longer sound']) {
			await arrive(parts, upload.id, upload.fileName, text);
			const taken = scratch.incomingPath();
			assert.equal(await files.copyUpload(upload, taken, wide()), text.length);
			assert.equal(await readFile(taken, 'utf8'), text);
			assert.equal(await fetched(await files.uploadPlace(upload, MINUTE_MS)), text);
		}
		assert.deepEqual(await files.uploadIds(), ['one']);
	},

	'keeps an upload that passes through the service': async ({ files, scratch }) => {
		const path = scratch.incomingPath();
		await writeFile(path, 'sound');
		const upload = { id: 'one', fileName: 'a.wav' };
		await files.keepUpload(path, upload);
		assert.deepEqual(await readdir(join(scratch.folder, 'incoming')), []);
		assert.equal(await files.copyUpload(upload, scratch.incomingPath(), wide()), 5);
	},

	'refuses an upload above the limit before it transfers it': async (parts) => {
		await arrive(parts, 'one', 'a.wav', 'sound');
		const path = parts.scratch.incomingPath();
		const taking = parts.files.copyUpload({ id: 'one', fileName: 'a.wav' }, path, {
			...wide(),
			allowance: { bytes: 4, refusal: 'too large' },
		});
		await assert.rejects(taking, TooLarge);
		await assert.rejects(stat(path));
	},

	'removes one upload and no other': async (parts) => {
		for (const id of ['one', 'two']) await arrive(parts, id, 'a.wav', id);
		await parts.files.removeUpload('one');
		await parts.files.removeUpload('never-there');
		assert.deepEqual(await parts.files.uploadIds(), ['two']);
	},

	'publishes a result, even an empty file': async (parts) => {
		const { files } = parts;
		const texts = { 'größe (1).wav': 'sound', 'texts.json': '{"é":1}', 'empty.csv': '' };
		const kept = await publish(parts, 'e', texts);
		for (const [fileName, text] of Object.entries(texts)) {
			assert.equal(await files.readResult(kept, fileName), text);
			assert.equal(await fetched(await files.resultPlace(kept, fileName, MINUTE_MS)), text);
		}
		assert.equal(await files.readResult(kept, 'other.json'), undefined);
		assert.deepEqual(await files.editIds(), ['e']);
	},

	'a later run of an edit replaces the earlier result': async (parts) => {
		await publish(parts, 'e', { 'a.wav': 'first' });
		const kept = await publish(parts, 'e', { 'a.wav': 'second' });
		assert.equal(await parts.files.readResult(kept, 'a.wav'), 'second');
	},

	'keeps what a changed edit begins with when the edit starts again': async (parts) => {
		const { files, scratch } = parts;
		const { unfinishedReview: folder } = await scratch.startEditFolder('e');
		const names = ['sound.flac', 'review.json'];
		for (const name of names) await writeFile(join(folder, name), name);
		const beginning = { editId: 'e', run: BEGINNING };
		const { signal } = new AbortController();
		await files.keepBeginning('e', folder, names.slice(0, 1), signal);
		await files.keepBeginning('e', folder, names, signal);
		await scratch.startEditFolder('e');
		for (const name of names) assert.equal(await files.readResult(beginning, name), name);
		await files.removeRun(beginning);
		assert.equal(await files.readResult(beginning, 'sound.flac'), undefined);
	},

	'removes one edit from the store and from this disk, and no other': async (parts) => {
		const { files, scratch } = parts;
		for (const id of ['e', 'f']) await publish(parts, id, { 'a.wav': id });
		await files.removeEdit('e');
		await files.removeEdit('never-there');
		assert.deepEqual(await files.editIds(), ['f']);
		assert.deepEqual(await scratch.editIds(), ['f']);
	},

	'the end of a run removes its working files and keeps the result': async (parts) => {
		const kept = await publish(parts, 'e', { 'a.wav': 'sound' });
		const [run = ''] = await readdir(join(parts.scratch.editFolder('e'), 'work'));
		await parts.files.endRun('e', run);
		assert.equal(await parts.files.readResult(kept, 'a.wav'), 'sound');
		const left = await readdir(parts.scratch.editFolder('e')).catch((): string[] => []);
		assert.ok(!left.includes('work'));
	},
};
