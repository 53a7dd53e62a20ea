import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';

import { fromBufferPromise } from 'yauzl';

/** Returns the files in a ZIP archive by name. Fails on a damaged archive. */
export async function unzipped(archive: Buffer): Promise<Map<string, Buffer>> {
	const zip = await fromBufferPromise(archive, { lazyEntries: true });
	const files = new Map<string, Buffer>();
	for await (const entry of zip.eachEntry()) {
		files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
	}
	return files;
}

export function fileNamed(files: ReadonlyMap<string, Buffer>, name: string): Buffer {
	const file = files.get(name);
	assert.ok(file, `${name} is not among ${[...files.keys()].join(', ')}`);
	return file;
}
