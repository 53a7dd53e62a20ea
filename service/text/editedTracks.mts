import { readdir } from 'node:fs/promises';
import { join, parse } from 'node:path';

import { editedBaseName, numbered } from '../media/outputName.mts';

/**
 * Returns one audio file per track, in the order of the sources: the files the engine kept when it
 * zipped them, or else the single edited file with everybody's speech.
 */
export async function editedTracks(
	tracksFolder: string,
	sourceNames: readonly string[],
	editedPath: string,
): Promise<string[]> {
	const found = await readdir(tracksFolder).catch(() => []);
	const wanted = numbered(sourceNames.map(editedBaseName));
	const paths = wanted.flatMap((baseName) =>
		found.filter((name) => parse(name).name === baseName).map((name) => join(tracksFolder, name)),
	);
	return paths.length === sourceNames.length ? paths : [editedPath];
}
