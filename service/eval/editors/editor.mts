/** What an evaluation judges. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { editedAudio } from '../../engine/editedAudio.mts';
import { findEdits } from '../../engine/findEdits.mts';
import { readTrack, type Track } from '../../engine/track.mts';
import {
	MAX_DBTP,
	METER_MARGIN_DB,
	normalizeLoudness,
} from '../../engine/level/normalizeLoudness.mts';
import { pcmSourceOf, readFrames } from '../../media/pcmFile.mts';
import { resolveEditConfig } from '../../shared/contract.mts';
import type { EditKind, TimelineEdit, TimeRange } from '../../shared/timeRanges.mts';
import { writeWav } from './rivals.mts';
import { RATE_HZ } from '../../../testkit/media/signals.mts';

export const CUTS = {
	fillers: true,
	hesitations: true,
	long_silences: true,
	stutters: true,
	mouth_sounds: true,
	breath: true,
} as const;

/** What loudness normalization is asked for. */
export const TARGET_LUFS = -16;

export const CONFIG = resolveEditConfig(CUTS);

/** A cut in the timeline. A service does not say of which kind it is. */
export type FoundCut = TimeRange & { readonly kind?: EditKind } & Partial<TimelineEdit>;

/** A recording at 48 kHz, mono, without its noise, as long as before. */
export type Denoise = (samples: Float32Array) => Promise<Float32Array>;

/** What an editor cuts out of a file, in order, and what it returns, at 48 kHz, mono. */
interface CutSound {
	readonly cuts: readonly FoundCut[];
	readonly edited: () => Promise<Float32Array>;
}

/** The engine of this repository, or a service that speaks the same API. */
export interface Editor {
	/** Edits a file with every kind of cut. */
	readonly cut: (sourcePath: string) => Promise<CutSound>;
	/** A file at a loudness of -16 LUFS, its noise reduced, as samples. */
	readonly normalize: (sourcePath: string) => Promise<Float32Array>;
}

/** The engine in this process, with its files in a folder. */
export function engineIn(folder: string): Editor {
	const workFolder = join(folder, 'engine');
	return {
		cut: async (sourcePath) => {
			const track = await trackIn(workFolder, sourcePath);
			const cuts = await findEdits(CONFIG, [track]);
			const sound = editedAudio(pcmSourceOf(track.clean), cuts, { mode: 'cut', isExact: false });
			return { cuts, edited: async () => await readFrames(sound, 0, sound.frames) };
		},
		normalize: async (sourcePath) => {
			const { clean } = await trackIn(workFolder, sourcePath);
			const goal = {
				targetLufs: TARGET_LUFS,
				gateLufs: -120,
				ceilingDbtp: MAX_DBTP - METER_MARGIN_DB,
			};
			const sound = await normalizeLoudness(pcmSourceOf(clean), goal);
			return await readFrames(sound, 0, sound.frames);
		},
	};
}

/** A recording as the engine reads it: from a file, its noise reduced. */
export async function trackOf(samples: Float32Array, workFolder: string): Promise<Track> {
	return await trackIn(workFolder, await wavOf(samples, `${workFolder}.wav`));
}

async function trackIn(workFolder: string, sourcePath: string): Promise<Track> {
	await rm(workFolder, { recursive: true, force: true });
	await mkdir(workFolder);
	return await readTrack({ sourcePath, config: CONFIG, maxSourceSeconds: 3_600, workFolder });
}

/** Writes samples into a WAV file, and returns its path. */
export async function wavOf(samples: Float32Array, path: string): Promise<string> {
	const rawPath = `${path}.f32`;
	await writeFile(rawPath, samples);
	const pcm = { path: rawPath, sampleRateHz: RATE_HZ, channels: 1, frames: samples.length };
	await writeWav(pcm, path);
	return path;
}
