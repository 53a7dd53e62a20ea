import { z } from 'zod';

import { cutSchema } from '../../shared/cuts.mts';
import { waveformSchema } from '../export/waveform.mts';
import { FADE_SECONDS } from '../timeline.mts';
import { doubtSchema } from './doubt/reasons.mts';
import { piecesOf } from './keptSound.mts';

/** The file that describes what was kept for a review. */
export const KEPT_FILE_NAME = 'review.json';

const rangeSchema = z.object({ startSeconds: z.number(), endSeconds: z.number() });

const keptTrackSchema = z.object({
	/** From the client. */
	name: z.string(),
	/** The copy of the source, from which format, picture and metadata are read again. */
	sourceName: z.string(),
	/** Which sound track was used. */
	soundTrack: z.number().int().nonnegative(),
	/** Format and length of the uncut, enhanced sound. */
	sampleRateHz: z.number(),
	channels: z.number(),
	frames: z.number(),
	/** At the source's own rate. */
	sourceFrames: z.number(),
	notes: z.array(z.string()),
	noiseLoweredDb: z.number(),
	isHeard: z.boolean(),
	music: z.array(rangeSchema),
	outline: waveformSchema,
	/** What leveling added to the draft, in dB. */
	gainDb: z.number(),
	peaksPerSecond: z.number(),
	/** Pairs of lowest and highest sample as signed bytes, in base64. */
	peaks: z.string(),
});

/** See `KeptRecording`. */
export const keptRecordingSchema = z.object({
	mode: z.enum(['cut', 'mute']),
	/** The length of the fade at each cut. */
	fadeSeconds: z.number().default(FADE_SECONDS),
	/** The rate and the length that cuts count in: of the finest track, over the longest. */
	sampleRateHz: z.number(),
	samples: z.number(),
	/** The cuts of the draft. */
	cuts: z.array(cutSchema).readonly(),
	/** How doubtful they are. */
	doubts: z.array(doubtSchema).readonly().optional(),
	loudness: z.object({ beforeLufs: z.number(), afterLufs: z.number() }).nullable(),
	heard: z
		.object({
			words: z.array(rangeSchema.extend({ text: z.string() })).readonly(),
			language: z.string().optional(),
			areTimesExact: z.boolean(),
			arePlaced: z.boolean().optional(),
		})
		.optional(),
	tracks: z.array(keptTrackSchema),
	/** Copies of the intro, outro and inserts of its show, in the order of the request. */
	kit: z.array(z.object({ name: z.string(), fileName: z.string() })).default([]),
});

/** What is kept of a recording beside its sound, so that it can be rendered again with other cuts. */
export type KeptRecording = z.infer<typeof keptRecordingSchema>;

/** Returns the names of all files that a review keeps. */
export function keptFileNames({ tracks, kit }: KeptRecording): string[] {
	const names = tracks.flatMap((track, index) => [
		track.sourceName,
		...piecesOf(track, index).map(({ name }) => name),
	]);
	return [...names, ...kit.map(({ fileName }) => fileName), KEPT_FILE_NAME];
}
