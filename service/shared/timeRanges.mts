/** Stretches of a recording: as they are, with what was found there, and with what was said. */

/** A stretch of a recording, in seconds from its beginning. */
export interface TimeRange {
	startSeconds: number;
	endSeconds: number;
}

/** Frames or 10 ms hops from `start` up to, not including, `end`. */
export interface IndexRange {
	start: number;
	end: number;
}

/** The kinds of edits the engine makes; each is counted in the result's statistics. */
export type EditKind =
	| 'long_silence'
	| 'filler'
	| 'hesitation'
	| 'stutter'
	| 'mouth_sound'
	| 'breath';

/** One edit on the timeline of the source. */
export interface TimelineEdit extends TimeRange {
	kind: EditKind;
	/** 0 to 1. */
	confidence: number;
}

/** A word that was recognised; times from the start of the file that was listened to. */
export interface SpokenWord extends TimeRange {
	/** With its punctuation, where the recogniser gives any. */
	text: string;
}

/** What a recogniser heard. */
export interface HeardSpeech {
	words: readonly SpokenWord[];
	/** ISO 639-1; undefined when the recogniser does not say it. */
	language: string | undefined;
}
