import { parse } from 'node:path';

import { safeFileName } from '../fileNames.mts';
import type { OutputFormat } from './outputFormat.mts';

/**
 * `<base name of the source>-edited.<ext>`, one safe path segment whatever the client sent: path
 * parts of either kind are dropped, control characters replaced, letters of all scripts kept.
 */
export function outputName(sourceName: string, format: OutputFormat): string {
	return `${editedBaseName(sourceName)}.${format}`;
}

/** The output's name without extension, for files that go with it. */
export function editedBaseName(sourceName: string): string {
	const lastPart = sourceName.split(/[/\\]/).at(-1) ?? '';
	return `${parse(safeFileName(lastPart)).name || 'file'}-edited`;
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
