import type { EditResult } from '../../api/contract';
import { MAX_CUE_MS, MAX_READING_SPEED, MIN_CUE_MS, bestDivision } from './cueDivision';
import { MAX_LINE_LENGTH, wordPieces } from './cueLines';
import { spread } from './repairTimestamps';
import { type SpokenWord, timedWords } from './timedWords';
import { unsayable } from './unsayable';
import { escapeContent, normalPlayTime } from '../values';

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

/** How late a cue may be shown because of the cues before it. */
const MAX_LATE_MS = 1_000;

/** A cue before its times: when its words are said, and its lines. */
interface SpokenCue {
	readonly fromMs: number;
	readonly untilMs: number;
	readonly lines: readonly string[];
	readonly speaker?: string;
	/** Whether somebody can say its words so fast. */
	readonly isSayable: boolean;
}

/**
 * Returns the subtitles of a result, none if it has no transcript or the transcript no times. They break
 * after sentences and phrases, and have at most two lines of 42 characters and one speaker. They stay 1
 * to 7 s, long enough to read 20 characters a second where the speech allows. They never overlap. None is
 * shown more than a second late: words that nobody can say so fast are left out where there is no time.
 */
export function subtitleCues(result: EditResult | undefined): Cue[] {
	const spoken = spokenCues(timedWords(result?.transcription).flatMap(fittingWords));
	const nextSayableMs = startsOfNextSayable(spoken);
	const cues: Cue[] = [];
	spoken.forEach(({ fromMs, untilMs, lines, speaker, isSayable }, index) => {
		const startMs = Math.max(fromMs, cues.at(-1)?.endMs ?? 0);
		if (!isSayable && startMs + MIN_CUE_MS > nextSayableMs[index]) return;
		const readUntilMs = startMs + (charactersOf(lines) / MAX_READING_SPEED) * 1_000;
		const wantedMs = Math.max(untilMs + LINGER_MS, readUntilMs);
		const nextMs = spoken.at(index + 1)?.fromMs ?? Infinity;
		const hasGap = wantedMs > nextMs - CUE_GAP_MS && readUntilMs <= nextMs - CUE_GAP_MS;
		const endMs = Math.round(Math.min(wantedMs, hasGap ? nextMs - CUE_GAP_MS : nextMs));
		const longEnoughMs = Math.min(Math.max(endMs, startMs + MIN_CUE_MS), startMs + MAX_CUE_MS);
		const latestEndMs = nextSayableMs[index] + MAX_LATE_MS;
		const shownUntilMs = Math.min(longEnoughMs, latestEndMs);
		// Several speakers may begin at one moment; there is no time left for the third.
		if (shownUntilMs <= startMs) return;
		cues.push({ startMs, endMs: shownUntilMs, lines, ...(speaker !== undefined && { speaker }) });
	});
	return cues;
}

function spokenCues(words: readonly SpokenWord[]): SpokenCue[] {
	const marks = unsayable(words);
	const marked = words.map((word, index) => ({ ...word, isSayable: !marks[index] }));
	return bestDivision(marked).map(({ first, last, lines }) => {
		const { startMs: fromMs, speaker, isSayable } = marked[first];
		return { fromMs, untilMs: Math.max(marked[last].endMs, fromMs), lines, speaker, isSayable };
	});
}

/** When the next sayable cue after each one begins; Infinity after the last. */
function startsOfNextSayable(cues: readonly SpokenCue[]): number[] {
	const starts: number[] = [];
	let nextMs = Infinity;
	for (let index = cues.length - 1; index >= 0; index--) {
		starts[index] = nextMs;
		if (cues[index].isSayable) nextMs = cues[index].fromMs;
	}
	return starts;
}

function charactersOf(lines: readonly string[]): number {
	return lines.join('').length;
}

/** The word, in pieces where it does not fit a line. */
function fittingWords(word: SpokenWord): SpokenWord[] {
	if (word.text.length <= MAX_LINE_LENGTH) return [word];
	const pieces = word.text.split(' ').flatMap(wordPieces);
	const parts = pieces.map((text) => ({ ...word, text }));
	return spread(parts, word.startMs, word.endMs);
}

/** Cues as an SRT file; undefined where there are none. SRT knows no speakers. */
export function toSrt(cues: readonly Cue[]): string | undefined {
	const blocks = cues.map(({ startMs, endMs, lines }, index) => {
		const times = `${normalPlayTime(startMs).replace('.', ',')} --> ${normalPlayTime(endMs).replace('.', ',')}`;
		return `${index + 1}\n${times}\n${lines.map(withoutMarkup).join('\n')}\n`;
	});
	return blocks.join('\n') || undefined;
}

/** Cues as a WebVTT file, speakers in voice spans; undefined where there are none. */
export function toWebVtt(cues: readonly Cue[]): string | undefined {
	if (cues.length === 0) return undefined;
	const blocks = cues.map(({ startMs, endMs, lines, speaker }) => {
		const times = `${normalPlayTime(startMs)} --> ${normalPlayTime(endMs)}`;
		const text = escapeContent(lines.join('\n'));
		return `${times}\n${speaker === undefined ? text : `<v ${escapeContent(speaker)}>${text}</v>`}\n`;
	});
	return ['WEBVTT\n', ...blocks].join('\n');
}

/**
 * SRT has no escapes, yet players read `<b>`, `{\an8}` and `-->` as markup anywhere. An invisible word
 * joiner prevents that and leaves the text as it reads.
 */
function withoutMarkup(line: string): string {
	return line.replace(/<(?=[a-z/!?])|\{(?=\\)|--(?=>)/gi, (mark) => `${mark}\u2060`);
}
