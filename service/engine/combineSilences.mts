import { KEPT_PAUSE_SECONDS, LONG_SILENCE_SECONDS } from './findLongSilences.mts';
import type { TimelineEdit } from './types.mts';

/** What is known of the silences of one track. */
export interface TrackSilences {
	/** In order and without overlap. */
	edits: readonly TimelineEdit[];
	/** True when nobody speaks on this track at all: then it stands in no cut's way. */
	isStill: boolean;
	durationSeconds: number;
}

/** What is left to be cut of the shortest pause that is a long silence, in seconds. */
const SHORTEST_CUT_SECONDS = LONG_SILENCE_SECONDS - 2 * KEPT_PAUSE_SECONDS;

/** Edits this near to each other are one; the ends of tracks are known to 10 ms. */
const TOUCHING_SECONDS = 0.05;

/**
 * The moments that may be cut from all tracks of a recording: where every track has a long silence.
 * A track that is over is silent from there on.
 */
export function silencesOfAllTracks(tracks: readonly TrackSilences[]): TimelineEdit[] {
	const longestSeconds = Math.max(...tracks.map(({ durationSeconds }) => durationSeconds));
	const heard = tracks.filter(({ isStill }) => !isStill);
	if (heard.length === 0) return [];
	return heard
		.map((track) => upTo(track, longestSeconds))
		.reduce(intersection)
		.filter(({ startSeconds, endSeconds }) => endSeconds - startSeconds >= SHORTEST_CUT_SECONDS);
}

/** The silences of a track with the time after its end. */
function upTo({ edits, durationSeconds }: TrackSilences, endSeconds: number): TimelineEdit[] {
	if (endSeconds - durationSeconds < TOUCHING_SECONDS) return [...edits];
	const last = edits.at(-1);
	const isOpen = last !== undefined && durationSeconds - last.endSeconds < TOUCHING_SECONDS;
	if (isOpen) return [...edits.slice(0, -1), { ...last, endSeconds }];
	const startSeconds = durationSeconds + KEPT_PAUSE_SECONDS;
	return [...edits, { kind: 'long_silence', startSeconds, endSeconds, confidence: 1 }];
}

function intersection(
	edits: readonly TimelineEdit[],
	others: readonly TimelineEdit[],
): TimelineEdit[] {
	return edits.flatMap((edit) =>
		others
			.map((other) => ({
				...edit,
				startSeconds: Math.max(edit.startSeconds, other.startSeconds),
				endSeconds: Math.min(edit.endSeconds, other.endSeconds),
				confidence: Math.min(edit.confidence, other.confidence),
			}))
			.filter(({ startSeconds, endSeconds }) => endSeconds > startSeconds),
	);
}
