import {
	LONGEST_CUE_MS,
	READING_SPEED_MAXIMUM,
	SHORTEST_CUE_MS,
	bestDivision,
} from './cueDivision';
import { wordPieces } from './cueLines';
import { spread } from './repairTimestamps';
import type { SpokenWord } from './timedWords';
import { LINE_LENGTH_MAXIMUM } from './wordRow';

/** A subtitle: when it is shown, in whole milliseconds, its one or two lines, and who speaks. */
export interface Cue {
	readonly startMs: number;
	readonly endMs: number;
	readonly lines: readonly string[];
	readonly speaker?: string;
}

/** How long a cue may stay after its last word, so that it does not flicker away. */
const LINGER_MS = 400;
/** The pause between two cues that shows the eye that the text has changed, where there is time. */
const CUE_GAP_MS = 80;

/**
 * Divides words into subtitles as a captioner would: broken after sentences and phrases, at most two
 * lines of 42 characters, each 1 to 7 s on screen, one speaker in each, no faster than 20 characters a
 * second where the speech leaves the time for it. Cues never overlap and their starts always rise.
 */
export function cuesOf(spoken: readonly SpokenWord[]): Cue[] {
	const words = spoken.flatMap(fittingWords);
	const cues = bestDivision(words).map(({ first, lines, last }) => ({
		startMs: words[first].startMs,
		spokenUntilMs: Math.max(words[last].endMs, words[first].startMs),
		lines,
		speaker: words[first].speaker,
	}));
	const timed: Cue[] = [];
	cues.forEach(({ lines, speaker, spokenUntilMs, ...cue }, index) => {
		// Words that came faster than anyone can read push the next cues back a little.
		const startMs = Math.max(cue.startMs, timed.at(-1)?.endMs ?? 0);
		const nextMs = cues[index + 1]?.startMs ?? Infinity;
		const endMs = cueEndMs(startMs, spokenUntilMs, nextMs, lines);
		timed.push({ startMs, endMs, lines, ...(speaker !== undefined && { speaker }) });
	});
	return timed;
}

function cueEndMs(
	startMs: number,
	spokenUntilMs: number,
	nextMs: number,
	lines: readonly string[],
): number {
	const readUntilMs = startMs + (lengthOf(lines) / READING_SPEED_MAXIMUM) * 1_000;
	const wantedMs = Math.max(spokenUntilMs + LINGER_MS, readUntilMs);
	const gapMs =
		wantedMs > nextMs - CUE_GAP_MS && readUntilMs <= nextMs - CUE_GAP_MS ? CUE_GAP_MS : 0;
	const endMs = Math.round(Math.min(wantedMs, nextMs - gapMs));
	return Math.min(Math.max(endMs, startMs + SHORTEST_CUE_MS), startMs + LONGEST_CUE_MS);
}

/** A word that does not fit a line comes in pieces. */
function fittingWords(word: SpokenWord): SpokenWord[] {
	if (word.text.length <= LINE_LENGTH_MAXIMUM) return [word];
	const pieces = word.text.split(' ').flatMap(wordPieces);
	const parts = pieces.map((text) => ({ ...word, text }));
	return spread(parts, word.startMs, word.endMs);
}

function lengthOf(texts: readonly string[]): number {
	return texts.reduce((sum, text) => sum + text.length, 0);
}
