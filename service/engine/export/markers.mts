import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TimelineEdit, TimeRange } from '../../shared/timeRanges.mts';

/** Label of a kind of edit in an editor, such as "Long silence". */
function labelOf(kind: string): string {
	return (kind[0].toUpperCase() + kind.slice(1)).replace('_', ' ');
}

/** For recordings without a picture: Resolve's default for a new timeline. */
const AUDIO_FRAMES_PER_SECOND = 24;

/** Start of a timeline in video editors. */
const TIMELINE_START_SECONDS = 3_600;

/**
 * Writes the edits as marker files, on the timeline of the source:
 *
 * - `<base>-labels.txt`: Audacity (File > Import > Labels): start, end, label, tab-separated;
 * - `<base>-markers.csv`: REAPER (Region/Marker Manager > Import) and spreadsheets;
 * - `<base>-audition.csv`: Adobe Audition (Markers panel > Import Markers From File),
 *   tab-separated;
 * - `<base>-markers.edl`: DaVinci Resolve (Timelines > Import > Timeline Markers from EDL), for a
 *   timeline that begins at 01:00:00:00, Resolve's default.
 *
 * Times are in seconds, to the millisecond in the CSV and to the microsecond for Audacity.
 *
 * @param lengthSeconds length of the source.
 * @param framesPerSecond frame rate of the picture, for the EDL, whose times are frames.
 * @returns the names of the files.
 */
export async function writeMarkers(
	found: readonly TimelineEdit[],
	{ folder, baseName }: { folder: string; baseName: string },
	lengthSeconds: number,
	framesPerSecond = AUDIO_FRAMES_PER_SECOND,
): Promise<string[]> {
	const edits = editsWithin(found, lengthSeconds);
	const files = [
		{ name: `${baseName}-labels.txt`, text: audacityLabels(edits) },
		{ name: `${baseName}-markers.csv`, text: regionCsv(edits) },
		{ name: `${baseName}-audition.csv`, text: auditionMarkers(edits) },
		{ name: `${baseName}-markers.edl`, text: resolveMarkers(edits, baseName, framesPerSecond) },
	];
	for (const { name, text } of files) await writeFile(join(folder, name), text, 'utf8');
	return files.map(({ name }) => name);
}

/** Returns edits with borders inside a recording: a detector may reach a little over its ends. */
export function editsWithin<T extends TimeRange>(edits: readonly T[], lengthSeconds: number): T[] {
	const inside = (seconds: number) => Math.min(Math.max(0, seconds), lengthSeconds);
	return edits.map((edit) => ({
		...edit,
		startSeconds: inside(edit.startSeconds),
		endSeconds: inside(edit.endSeconds),
	}));
}

/** Audacity's label track format. */
export function audacityLabels(edits: readonly (TimeRange & { kind: string })[]): string {
	return linesOf(
		edits.map(({ kind, startSeconds, endSeconds }) =>
			[startSeconds.toFixed(6), endSeconds.toFixed(6), labelOf(kind)].join('\t'),
		),
	);
}

/** REAPER's region list: R1, R2, … with start, end and length in seconds. */
export function regionCsv(edits: readonly TimelineEdit[]): string {
	const rows = edits.map(({ kind, startSeconds, endSeconds }, index) => {
		const times = [startSeconds, endSeconds, endSeconds - startSeconds];
		return [`R${index + 1}`, labelOf(kind), ...times.map((time) => time.toFixed(3))].join(',');
	});
	return linesOf(['#,Name,Start,End,Length', ...rows]);
}

/** Adobe Audition's markers: ranges on the timeline in decimal minutes and seconds. */
export function auditionMarkers(edits: readonly TimelineEdit[]): string {
	const time = (seconds: number) => {
		const milliseconds = Math.round(seconds * 1000);
		const rest = ((milliseconds % 60_000) / 1000).toFixed(3).padStart(6, '0');
		return `${Math.floor(milliseconds / 60_000)}:${rest}`;
	};
	const rows = edits.map(({ kind, startSeconds, endSeconds }, index) => {
		const times = [startSeconds, endSeconds - startSeconds].map(time);
		return [`${labelOf(kind)} ${index + 1}`, ...times, 'decimal', 'Cue', ''].join('\t');
	});
	return linesOf(['Name\tStart\tDuration\tTime Format\tType\tDescription', ...rows]);
}

/**
 * DaVinci Resolve's markers with their lengths, as a non-drop-frame EDL: its timecode counts whole
 * frames per second, so at 29.97 it runs slower than the clock, as Resolve's timeline does.
 */
export function resolveMarkers(
	edits: readonly TimelineEdit[],
	title: string,
	framesPerSecond: number,
): string {
	const rate = Math.round(framesPerSecond);
	const timecode = (frames: number) => {
		const seconds = Math.floor(frames / rate);
		const fields = [seconds / 3_600, (seconds / 60) % 60, seconds % 60, frames % rate];
		return fields.map((field) => String(Math.floor(field)).padStart(2, '0')).join(':');
	};
	const rows = edits.flatMap(({ kind, startSeconds, endSeconds }, index) => {
		const start = TIMELINE_START_SECONDS * rate + Math.round(startSeconds * framesPerSecond);
		const length = Math.max(1, Math.round((endSeconds - startSeconds) * framesPerSecond));
		const times = [start, start + 1, start, start + 1].map(timecode).join(' ');
		const number = String(index + 1).padStart(3, '0');
		return [
			`${number}  001      V     C        ${times}`,
			` |C:ResolveColorRed |M:${labelOf(kind)} |D:${length}`,
			'',
		];
	});
	return linesOf([`TITLE: ${title.replace(/[\r\n]/g, ' ')}`, 'FCM: NON-DROP FRAME', '', ...rows]);
}

function linesOf(lines: readonly string[]): string {
	return lines.map((line) => `${line}\n`).join('');
}
