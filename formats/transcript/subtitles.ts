import type { EditResult } from '../../api/contract';
import { MAX_CUE_MS, MAX_READING_SPEED, MIN_CUE_MS, bestDivision } from './cueDivision';
import { MAX_LINE_LENGTH, wordPieces } from './cueLines';
import { spread } from './repairTimestamps';
import { type SpokenWord, timedWords } from './timedWords';
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

/**
 * Returns the subtitles of a result, none if it has no transcript or the transcript no times. They break
 * after sentences and phrases, and have at most two lines of 42 characters and one speaker. They stay 1
 * to 7 s, long enough to read 20 characters a second where the speech allows. They never overlap.
 */
export function subtitleCues(result: EditResult | undefined): Cue[] {
	const words = timedWords(result?.transcription).flatMap(fittingWords);
	const divided = bestDivision(words);
	const cues: Cue[] = [];
	divided.forEach(({ first, last, lines }, index) => {
		const { startMs: spokenFromMs, speaker } = words[first];
		// Words that came faster than anyone can read push the next cues back a little.
		const startMs = Math.max(spokenFromMs, cues.at(-1)?.endMs ?? 0);
		const readUntilMs = startMs + (lines.join('').length / MAX_READING_SPEED) * 1_000;
		const spokenUntilMs = Math.max(words[last].endMs, spokenFromMs);
		const wantedMs = Math.max(spokenUntilMs + LINGER_MS, readUntilMs);
		const nextMs = words[divided[index + 1]?.first]?.startMs ?? Infinity;
		const hasGap = wantedMs > nextMs - CUE_GAP_MS && readUntilMs <= nextMs - CUE_GAP_MS;
		const endMs = Math.round(Math.min(wantedMs, hasGap ? nextMs - CUE_GAP_MS : nextMs));
		cues.push({
			startMs,
			endMs: Math.min(Math.max(endMs, startMs + MIN_CUE_MS), startMs + MAX_CUE_MS),
			lines,
			...(speaker !== undefined && { speaker }),
		});
	});
	return cues;
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
