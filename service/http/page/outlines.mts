import { z } from 'zod';

import { EDITS_FILE_NAME, WAVEFORM_FILE_NAME } from '../../engine/export/waveform.mts';
import type { FileStore, RunName } from '../../store/files/fileStore.mts';

const waveformSchema = z.object({
	durationSeconds: z.number().nonnegative(),
	/** Lowest and highest samples in turn, -1 to 1. */
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
/** The changes made and where, on the timeline of the source. */
export type EditsMade = z.infer<typeof editsFileSchema>;

/** What the page draws for a finished edit. */
export interface Outlines extends EditsMade {
	tracks: z.infer<typeof waveformFileSchema>['tracks'];
}

/** Reads the outlines of a finished edit; undefined if they are missing or unreadable. */
export async function readOutlines(files: FileStore, run: RunName): Promise<Outlines | undefined> {
	const read = async (name: string): Promise<unknown> =>
		JSON.parse((await files.readResult(run, name)) ?? '');
	try {
		return {
			...waveformFileSchema.parse(await read(WAVEFORM_FILE_NAME)),
			...editsFileSchema.parse(await read(EDITS_FILE_NAME)),
		};
	} catch {
		// The page shows the edit without its picture.
		return undefined;
	}
}
