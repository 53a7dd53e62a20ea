import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readSettings } from '../../shared/settings.mts';
import type { FilePlace } from '../../store/files/fileStore.mts';
import { openFiles, type OpenFiles } from '../../store/files/openFiles.mts';
import { send } from '../../../testkit/service/client.mts';
import type { S3Server } from '../../../testkit/service/s3Server.mts';

export const MINUTE_MS = 60_000;
export const MEBIBYTE = 1_048_576;

/** Returns limits that no test exceeds by accident. */
export const wide = () => ({
	allowance: { bytes: 1024 * MEBIBYTE, refusal: 'too large' },
	signal: new AbortController().signal,
});

let count = 0;

export async function inFolder(folder: string): Promise<OpenFiles> {
	return await openFiles(join(folder, String(++count)), undefined);
}

/** Opens a new storage folder inside a folder, with a new prefix in object storage. */
export async function inS3(folder: string, s3: S3Server): Promise<OpenFiles> {
	const { files: place } = readSettings(['--files', s3.filesFlag(`prefix-${++count}`)]);
	// Read again each time, since a test may have set `Date`.
	return await openFiles(join(folder, String(count)), place, () => Date.now());
}

/** Returns what a client gets from a place. */
export async function fetched(place: FilePlace): Promise<string> {
	if ('path' in place) return await readFile(place.path, 'utf8');
	const { status, text } = await send('GET', place.url);
	assert.equal(status, 200, text);
	return text;
}

/** Uploads as a client does, or as this service does if the store has no URLs. */
export async function arrive(
	{ files, scratch }: OpenFiles,
	id: string,
	fileName: string,
	text: string,
) {
	const url = await files.uploadUrl({ id, fileName }, MINUTE_MS);
	if (url === undefined) {
		const path = scratch.incomingPath();
		await writeFile(path, text);
		await files.keepUpload(path, { id, fileName });
	} else {
		const headers = { 'Content-Type': 'audio/wav' };
		assert.equal((await send('PUT', url, { body: text, headers })).status, 200);
	}
}

/** Runs an edit that writes these files, and publishes them. */
export async function publish(
	{ files, scratch }: OpenFiles,
	editId: string,
	texts: Record<string, string>,
) {
	const folders = await scratch.startEditFolder(editId);
	for (const [name, text] of Object.entries(texts)) {
		await writeFile(join(folders.unfinishedResult, name), text);
	}
	const run = await files.keepResult(editId, folders, new AbortController().signal);
	return { editId, run };
}
