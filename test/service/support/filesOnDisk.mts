import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the sizes of the files in these folders of a storage, by inode, since an edit links its uploads. */
export async function filesOnDisk(
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
export async function countedBytes(storage: string): Promise<number> {
	const sizes = await filesOnDisk(storage, ['edits', 'uploads']);
	return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}
