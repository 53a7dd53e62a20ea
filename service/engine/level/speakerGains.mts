import { join } from 'node:path';

import { ANALYSIS_FORMAT } from '../../media/decode.mts';
import { writeConverted } from '../../media/convertPcm.mts';
import type { PcmSource } from '../../media/pcmFile.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';
import { endThreads } from '../threads/engineThreads.mts';
import { heardPhrases } from './heardPhrases.mts';
import type { LevelProfile } from './levelProfile.mts';
import { speakersOf } from './speakers.mts';
import { mayBeApart, spokenIn, turnGains, type TurnGains } from './turnGains.mts';

/** What it takes to find softer speakers in a recording. */
export interface TurnSearch {
	/** Finds the music, which is left as it is. */
	readonly findMusic: () => Promise<TimeRange[]>;
	/** For a copy of the recording. */
	readonly workFolder: string;
}

/**
 * Finds out who speaks, by voice and level, and plans how to raise those who are softer than others. Listens only
 * where levels are far enough apart for somebody to be raised.
 *
 * @returns null if nobody is raised.
 * @throws MediaToolError when ffmpeg fails, the signal's reason when aborted.
 */
export async function speakerGains(
	input: PcmSource,
	profile: LevelProfile,
	{ findMusic, workFolder }: TurnSearch,
	share: number,
	signal?: AbortSignal,
): Promise<TurnGains | null> {
	if (!mayBeApart(spokenIn(profile))) return null;
	const spoken = spokenIn(profile, await findMusic());
	if (!mayBeApart(spoken)) return null;
	const format = { ...ANALYSIS_FORMAT, channels: input.channels };
	const copy = await writeConverted(input, join(workFolder, 'speakers.s16'), format, signal);
	try {
		const speakers = speakersOf(await heardPhrases(copy, spoken.phrases, signal), spoken.levels);
		return speakers && turnGains(spoken, speakers, share);
	} finally {
		await endThreads();
	}
}
