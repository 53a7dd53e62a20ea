import { parse } from 'node:path';

import { safeFileName } from '../shared/fileNames.mts';

/**
 * `<base name of the source>-edited`, without extension: one safe path segment whatever the client
 * sent. Path parts are dropped, control characters replaced, letters of all scripts kept.
 */
export function editedBaseName(sourceName: string): string {
	return `${parse(safeFileName(sourceName)).name || 'file'}-edited`;
}

/** Names without extension made different from each other: the second `a` becomes `a-2`. */
export function numbered(baseNames: readonly string[]): string[] {
	const taken = new Set<string>();
	return baseNames.map((baseName) => {
		let name = baseName;
		// Without regard to case: some file systems take A and a for the same.
		for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${baseName}-${n}`;
		taken.add(name.toLowerCase());
		return name;
	});
}
