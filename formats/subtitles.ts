import type { EditResult } from '../api/contract';
import { cueTime } from './clock';
import { type Cue, cuesOf } from './cues';
import { escapeHtml } from './plainText';
import { timedWords } from './timedWords';

/**
 * The subtitles of a result; none where it has no transcript or the transcript no times.
 *
 * @param result `result` of an edit, spec "result fields"
 */
export function subtitleCues(result: EditResult | undefined): Cue[] {
	return cuesOf(timedWords(result?.transcription));
}

/** Cues as an SRT file; undefined where there are none. SRT knows no speakers. */
export function toSrt(cues: readonly Cue[]): string | undefined {
	if (cues.length === 0) return undefined;
	return cues
		.map(({ startMs, endMs, lines }, index) => {
			const times = `${cueTime(startMs, ',')} --> ${cueTime(endMs, ',')}`;
			return `${index + 1}\n${times}\n${lines.map(withoutMarkup).join('\n')}\n`;
		})
		.join('\n');
}

/** Cues as a WebVTT file, speakers in voice spans; undefined where there are none. */
export function toWebVtt(cues: readonly Cue[]): string | undefined {
	if (cues.length === 0) return undefined;
	const blocks = cues.map(({ startMs, endMs, lines, speaker }) => {
		const times = `${cueTime(startMs, '.')} --> ${cueTime(endMs, '.')}`;
		const text = lines.map(escapeCueText).join('\n');
		return `${times}\n${speaker === undefined ? text : `<v ${escapeCueText(speaker)}>${text}</v>`}\n`;
	});
	return ['WEBVTT\n', ...blocks].join('\n');
}

function escapeCueText(text: string): string {
	return escapeHtml(text)
		.replace(/&quot;/g, '"')
		.replace(/&#39;/g, "'");
}

/**
 * SRT has no escapes, yet players take `<b>`, `{\an8}` and `-->` for markup wherever they stand. An
 * invisible word joiner keeps them from it and the text as it reads.
 */
function withoutMarkup(line: string): string {
	return line.replace(/<(?=[a-z/!?])|\{(?=\\)|--(?=>)/gi, (mark) => `${mark}\u2060`);
}
