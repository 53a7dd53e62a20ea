import { parse } from 'node:path';

import { safeFileName } from '../shared/fileNames.mts';

/**
 * Returns `<base name of the source>-edited`, without extension: one safe path segment, whatever
 * the client sent. Drops folders, replaces control characters, keeps letters of all scripts.
 */
export function editedBaseName(sourceName: string): string {
	return `${parse(safeFileName(sourceName)).name || 'file'}-edited`;
}

/** Makes names without extension unique: the second `a` becomes `a-2`. */
export function numbered(baseNames: readonly string[]): string[] {
	const taken = new Set<string>();
	return baseNames.map((baseName) => {
		let name = baseName;
		// Case-insensitive, because some file systems treat A and a as the same name.
		for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${baseName}-${n}`;
		taken.add(name.toLowerCase());
		return name;
	});
}
