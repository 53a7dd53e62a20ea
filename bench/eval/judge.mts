import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { findEdits } from '../../service/engine/findEdits.mts';
import { readTrack, type Track } from '../../service/engine/track.mts';
import { resolveEditConfig } from '../../service/shared/contract.mts';
import type { EditKind, TimelineEdit, TimeRange } from '../../service/shared/timeRanges.mts';
import { writeWav } from './rivals.mts';
import { HOP_SECONDS, type Scene, stretchesOf, WORD } from './scene.mts';
import { lengthOf, shared, tallyOf, type Tally } from './score.mts';
import { RATE_HZ } from './signals.mts';

/** What is judged together: hesitations are fillers that are short. */
export const JUDGED: Readonly<Record<string, readonly EditKind[]>> = {
	long_silences: ['long_silence'],
	mouth_sounds: ['mouth_sound'],
	breath: ['breath'],
	stutters: ['stutter'],
	'fillers + hesitations': ['filler', 'hesitation'],
};

/** Finds every kind of event. */
export const CONFIG = resolveEditConfig({
	fillers: true,
	hesitations: true,
	long_silences: true,
	stutters: true,
	mouth_sounds: true,
	breath: true,
});

/** A cut that touches a word by less than this cannot be heard, in seconds. */
const TOUCH_SECONDS = 0.01;

/** A cut in the timeline; what only people use today finds has no more than its kind. */
type Cut = TimeRange & Pick<TimelineEdit, 'kind'> & Partial<TimelineEdit>;

/** What was done to a scene. */
export interface Judgement {
	scene: Pick<Scene, 'condition' | 'isEventful' | 'name'>;
	seconds: number;
	/** How long words are said in it. */
	wordSeconds: number;
	tallies: Record<string, Tally>;
	/** The cuts that touch words. */
	hits: (Cut & { wordSeconds: number })[];
}

/** Lets the engine edit a scene, and compares. */
export async function judge(scene: Scene, folder: string): Promise<Judgement> {
	return judgementOf(scene, await findEdits(CONFIG, [await trackOf(scene, folder)]));
}

export function judgementOf(
	{ condition, isEventful, name, marks, events }: Scene,
	edits: readonly Cut[],
): Judgement {
	const words = stretchesOf(marks, WORD);
	const hits = edits
		.map((edit) => ({
			...edit,
			wordSeconds: words.reduce((sum, word) => sum + shared(word, edit), 0),
		}))
		.filter(({ wordSeconds }) => wordSeconds >= TOUCH_SECONDS);
	const doubtful = events.filter(({ kind, isMasked }) => kind === 'long_silence' && isMasked);
	const judged = edits.filter((edit) => {
		return edit.kind !== 'long_silence' || !doubtful.some((pause) => isMostlyIn(edit, pause));
	});
	const tallies = Object.fromEntries(
		Object.entries(JUDGED).map(([title, kinds]) => [title, tallyOf(kinds, events, judged)]),
	);
	return {
		scene: { condition, isEventful, name },
		seconds: marks.length * HOP_SECONDS,
		wordSeconds: words.reduce((sum, word) => sum + lengthOf(word), 0),
		...{ tallies, hits },
	};
}

/** A part of a doubtful pause may be cut: the rest may be a breath. */
function isMostlyIn(edit: TimeRange, pause: TimeRange): boolean {
	return shared(edit, pause) >= 0.9 * lengthOf(edit);
}

/** A recording as the engine reads it: from a file, its noise reduced. */
export async function trackOf(
	{ samples }: Pick<Scene, 'samples'>,
	workFolder: string,
): Promise<Track> {
	await rm(workFolder, { recursive: true, force: true });
	await mkdir(workFolder);
	const path = join(workFolder, 'samples.f32');
	await writeFile(path, samples);
	const sourcePath = join(workFolder, 'source.wav');
	await writeWav({ path, sampleRateHz: RATE_HZ, channels: 1, frames: samples.length }, sourcePath);
	return await readTrack({ sourcePath, config: CONFIG, longestSourceSeconds: 3_600, workFolder });
}
