import type { Bar } from '../../../testkit/measure/bars.mts';
import type { Transcriber } from '../../text/speech/transcriber.mts';
import type { Half } from '../recorded/speakers.mts';
import { editedWordBars } from './editedWords.mts';
import { inventedBars } from './inventedWords.mts';
import { seamBars } from './seams.mts';
import { speedBars } from './speed.mts';
import { fillerBars } from './spokenFillers.mts';
import { speakerBars } from './toldApart.mts';
import { trackBars } from './twoTracks.mts';
import { wordsWrongBars } from './wordsWrong.mts';
import { wordTimeBars } from './wordTimes.mts';

type Part = (half: Half, recognizer: Transcriber, folder: string) => Promise<Bar[]>;

const PARTS: Readonly<Record<string, Part>> = {
	words: wordsWrongBars,
	times: wordTimeBars,
	seams: seamBars,
	edited: editedWordBars,
	tracks: trackBars,
	speakers: (half, _, folder) => speakerBars(half, folder),
	wordless: (_, recognizer, folder) => inventedBars(recognizer, folder),
	fillers: fillerBars,
	speed: (_, recognizer, folder) => speedBars(recognizer, folder),
};

/** The parts that can be run alone. */
export const PART_NAMES = Object.keys(PARTS);

/**
 * What a recognizer makes of known words: how many it gets wrong, where they are, who says them, and what it invents.
 *
 * @param parts of `PART_NAMES`; all if there is none.
 */
export async function knownWordBars(
	half: Half,
	recognizer: Transcriber,
	folder: string,
	parts: readonly string[],
): Promise<Bar[]> {
	const unknown = parts.find((part) => !(part in PARTS));
	if (unknown !== undefined) throw new Error(`There is no ${unknown}: ${PART_NAMES.join(', ')}`);
	const bars: Bar[] = [];
	for (const part of parts.length > 0 ? parts : PART_NAMES) {
		bars.push(...(await PARTS[part](half, recognizer, folder)));
	}
	return bars;
}
