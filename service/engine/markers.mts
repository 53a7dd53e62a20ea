import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { EditKind, TimelineEdit } from './types.mts';

/** How a kind of edit is called in an editor. */
const LABELS: Readonly<Record<EditKind, string>> = { long_silence: 'Long silence' };

/**
 * Writes the edits as marker files, on the timeline of the source:
 *
 * - `<base>-labels.txt`: Audacity (File > Import > Labels): start, end, label, tab separated;
 * - `<base>-markers.csv`: REAPER (Region/Marker Manager > Import) and spreadsheets.
 *
 * Times are seconds with milliseconds in the CSV and microseconds for Audacity, as it writes them.
 *
 * @returns the names of the files.
 */
export async function writeMarkers(
	edits: readonly TimelineEdit[],
	folder: string,
	baseName: string,
): Promise<string[]> {
	const files = [
		{ name: `${baseName}-labels.txt`, text: audacityLabels(edits) },
		{ name: `${baseName}-markers.csv`, text: regionCsv(edits) },
	];
	for (const { name, text } of files) await writeFile(join(folder, name), text, 'utf8');
	return files.map(({ name }) => name);
}

/** Audacity's label track format. */
export function audacityLabels(edits: readonly TimelineEdit[]): string {
	return linesOf(
		edits.map(({ kind, startSeconds, endSeconds }) =>
			[startSeconds.toFixed(6), endSeconds.toFixed(6), LABELS[kind]].join('\t'),
		),
	);
}

/** REAPER's region list: R1, R2, … with start, end and length in seconds. */
export function regionCsv(edits: readonly TimelineEdit[]): string {
	const rows = edits.map(({ kind, startSeconds, endSeconds }, index) =>
		[
			`R${index + 1}`,
			LABELS[kind],
			startSeconds.toFixed(3),
			endSeconds.toFixed(3),
			(endSeconds - startSeconds).toFixed(3),
		].join(','),
	);
	return linesOf(['#,Name,Start,End,Length', ...rows]);
}

function linesOf(lines: readonly string[]): string {
	return lines.map((line) => `${line}\n`).join('');
}
