import { readFile } from 'node:fs/promises';

import { z } from 'zod';

import { EDITS_FILE_NAME, WAVEFORM_FILE_NAME } from '../engine/waveform.mts';
import type { FileStore } from '../store/fileStore.mts';

const waveformSchema = z.object({
	durationSeconds: z.number().nonnegative(),
	/** Lowest and highest sample by turns, -1 to 1. */
	peaks: z.array(z.number()),
});

const waveformFileSchema = z.object({
	tracks: z.array(z.object({ name: z.string(), source: waveformSchema, edited: waveformSchema })),
});

const editsFileSchema = z.object({
	mode: z.enum(['cut', 'mute']),
	edits: z.array(z.object({ kind: z.string(), startSeconds: z.number(), endSeconds: z.number() })),
});

/** The outline of a recording. */
export type Outline = z.infer<typeof waveformSchema>;
/** What was done where, on the timeline of the source. */
export type EditsMade = z.infer<typeof editsFileSchema>;

/** What the page draws of a finished edit. */
export interface Outlines extends EditsMade {
	tracks: z.infer<typeof waveformFileSchema>['tracks'];
}

/** The outlines of a finished edit; undefined when there are none, or none that can be read. */
export async function readOutlines(files: FileStore, jobId: string): Promise<Outlines | undefined> {
	const read = async (name: string): Promise<unknown> =>
		JSON.parse(await readFile(files.resultPath(jobId, name), 'utf8'));
	try {
		return {
			...waveformFileSchema.parse(await read(WAVEFORM_FILE_NAME)),
			...editsFileSchema.parse(await read(EDITS_FILE_NAME)),
		};
	} catch {
		// An earlier version wrote none; a picture that is missing is no reason to show nothing.
		return undefined;
	}
}
