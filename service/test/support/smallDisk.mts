import assert from 'node:assert/strict';
import { statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';

import { temporaryFolder } from '../../../testkit/process/temporaryFolder.mts';

const DISK_BYTES = 16 * 1_048_576;

/** Mounts a disk of 16 MiB in memory; undefined without the right to. */
export async function mountSmallDisk() {
	const folder = await temporaryFolder();
	const { path } = folder;
	try {
		await execa('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', path]);
	} catch {
		await folder[Symbol.asyncDispose]();
		return undefined;
	}
	const freeBytes = async () => {
		const { bavail, bsize } = await statfs(path);
		return bavail * bsize;
	};
	return {
		path,
		freeBytes,
		/** Leaves not a byte. */
		fill: async () => {
			await writeFile(join(path, 'filler'), Buffer.alloc(DISK_BYTES)).catch(() => undefined);
			assert.equal(await freeBytes(), 0);
		},
		[Symbol.asyncDispose]: async () => {
			await execa('umount', [path]);
			await folder[Symbol.asyncDispose]();
		},
	};
}
