import type { Cut } from './cuts.mts';

/** Stretches of a recording: plain, with the edit made there, and with the word spoken there. */

/** A stretch of a recording, in seconds from its start. */
export interface TimeRange {
	startSeconds: number;
	endSeconds: number;
}

/** Frames or 10 ms hops from `start` up to, not including, `end`. */
export interface IndexRange {
	start: number;
	end: number;
}

/** The kinds of edits: those the engine makes, which the statistics count, and what a person `added`. */
export type EditKind = Cut['kind'];

/** One edit on the timeline of the source. */
export interface TimelineEdit extends TimeRange {
	kind: EditKind;
	/** How far its detector was beyond all that it asks for: 0 just far enough, 1 far beyond. */
	sure: number;
}

/** A recognized word; times count from the start of the recognized file. */
export interface SpokenWord extends TimeRange {
	/** With punctuation, if the recognizer writes any. */
	text: string;
	/** True if the recognizer gave no time that can be right, so that this is only about where it is. */
	isGuessed?: boolean;
}

/** Recognized speech. */
export interface RecognizedSpeech {
	words: readonly SpokenWord[];
	/** ISO 639-1; undefined if the recognizer does not report it. */
	language?: string | undefined;
	/** Whether a word may be cut by its times; otherwise, they only say roughly where it is. */
	areTimesExact: boolean;
	/** Whether words were moved to their sound, so that a filler is where its word says. */
	arePlaced?: boolean | undefined;
}

/** How long two stretches are the same, in seconds; negative where they are apart. */
export function sharedSeconds(a: TimeRange, b: TimeRange): number {
	return Math.min(a.endSeconds, b.endSeconds) - Math.max(a.startSeconds, b.startSeconds);
}
