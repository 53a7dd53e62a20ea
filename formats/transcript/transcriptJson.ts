import { joinWords } from './cueLines';
import type { Cue } from './subtitles';

/**
 * The transcript for a feed's `podcast:transcript` tag as JSON, version 1.0.0: a segment for each subtitle,
 * with times in seconds, and the speaker if one is named.
 *
 * Source: https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/examples/transcripts/transcripts.md#json
 *
 * @returns undefined if there are no subtitles
 */
export function transcriptJson(cues: readonly Cue[]) {
	if (cues.length === 0) return undefined;
	const segments = cues.map(({ startMs, endMs, lines, speaker }) => ({
		...(speaker !== undefined && { speaker }),
		startTime: startMs / 1_000,
		endTime: endMs / 1_000,
		body: joinWords(lines),
	}));
	return { version: '1.0.0', segments };
}
