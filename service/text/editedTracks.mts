import { readdir } from 'node:fs/promises';
import { join, parse } from 'node:path';

import { editedBaseName, numbered } from '../media/outputName.mts';

/**
 * The files in which each track is heard alone, in the order of the sources: where the engine left
 * them before they went into one ZIP; else the one edited file, which holds all that is said.
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
