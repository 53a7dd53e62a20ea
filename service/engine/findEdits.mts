import type { EditConfig } from '../contract.mts';
import type { AnalysisAudio } from './analysisAudio.mts';
import { findLongSilences } from './findLongSilences.mts';
import { levelsOf } from './levels.mts';
import type { TimelineEdit } from './types.mts';

/** True when the configuration asks for anything to be found and taken out. */
export function looksForEdits({ long_silences }: Required<EditConfig>): boolean {
	return long_silences;
}

/**
 * Finds what the configuration asks to be taken out, on the timeline of the source.
 *
 * @throws MediaToolError when ffmpeg fails, the signal's reason when aborted.
 */
export async function findEdits(
	config: Required<EditConfig>,
	audio: AnalysisAudio,
	signal?: AbortSignal,
): Promise<TimelineEdit[]> {
	if (!config.long_silences) return [];
	const [raw, denoised] = await Promise.all([
		levelsOf(audio.raw, signal),
		levelsOf(audio.denoised, signal),
	]);
	return findLongSilences({ raw, denoised });
}
