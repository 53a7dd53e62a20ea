import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';

import { fromBuffer, type Entry, type ZipFile } from 'yauzl';

/** Returns the files in a ZIP archive by name. Fails on a damaged archive. */
export async function unzipped(archive: Buffer): Promise<Map<string, Buffer>> {
	const zip = await new Promise<ZipFile>((resolve, reject) => {
		fromBuffer(archive, { lazyEntries: true }, (error, opened) => {
			if (error) reject(error);
			else resolve(opened);
		});
	});
	const entries = await new Promise<Entry[]>((resolve, reject) => {
		const found: Entry[] = [];
		zip.on('error', reject);
		zip.on('end', () => {
			resolve(found);
		});
		zip.on('entry', (entry: Entry) => {
			found.push(entry);
			zip.readEntry();
		});
		zip.readEntry();
	});
	const files = new Map<string, Buffer>();
	for (const entry of entries) files.set(entry.fileName, await contentOf(zip, entry));
	return files;
}

/** Returns a file of an archive. */
export function fileNamed(files: ReadonlyMap<string, Buffer>, name: string): Buffer {
	const file = files.get(name);
	assert.ok(file, `${name} is not among ${[...files.keys()].join(', ')}`);
	return file;
}

async function contentOf(zip: ZipFile, entry: Entry): Promise<Buffer> {
	return await new Promise((resolve, reject) => {
		zip.openReadStream(entry, (error, stream) => {
			if (error) reject(error);
			else buffer(stream).then(resolve, reject);
		});
	});
}
