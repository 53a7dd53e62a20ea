import { dirname } from 'node:path';

import { type TextFile, trackedPaths } from '../texts/tracked.mts';

/** A map that lives as long as the process and keeps what belongs to one run. */
const MAP_BY_CONTEXT =
	/^(?:export )?const (\w+) = new (?:Weak)?Map<[^,>]*(?:Context|Functions|NodeRun)[^,>]*,/gm;

/** Returns the maps of a file outside functions that are keyed by a context of n8n. */
export function mapsKeyedByContext({ path, text }: TextFile): string[] {
	return [...text.matchAll(MAP_BY_CONTEXT)].map(
		([, name]) => `${path}: ${name} is keyed by a context`,
	);
}

/** Returns the folder outside test/ with the most files beside each other, and how many those are. */
export function fullestFolder(): [path: string, files: number] {
	const counts = new Map<string, number>();
	for (const path of trackedPaths()) {
		const folder = dirname(path);
		if (folder.startsWith('test') || !/\.(?:m?ts|mjs|py)$/.test(path)) continue;
		counts.set(folder, (counts.get(folder) ?? 0) + 1);
	}
	return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most));
}
