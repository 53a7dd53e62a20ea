import type { z } from 'zod';

import {
	EDITS_FILE_NAME,
	editsFileSchema,
	WAVEFORM_FILE_NAME,
	waveformFileSchema,
} from '../../engine/export/waveform.mts';
import type { FileStore, RunName } from '../../store/files/fileStore.mts';

/** The changes made and where, on the timeline of the source. */
export type EditsMade = z.infer<typeof editsFileSchema>;

/** What the page draws for a finished edit. */
export type Outlines = EditsMade & z.infer<typeof waveformFileSchema>;

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
