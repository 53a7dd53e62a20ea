/** What the service answers about a review, as the page reads it. */

export type Kind = keyof typeof KIND_WORDS;

/** The kinds of cuts in a visitor's words: one, and several. */
export const KIND_WORDS = {
	filler: ['Filler word', 'Filler words'],
	hesitation: ['Hesitation', 'Hesitations'],
	stutter: ['Stutter', 'Stutters'],
	long_silence: ['Long silence', 'Long silences'],
	breath: ['Breath', 'Breaths'],
	mouth_sound: ['Mouth sound', 'Mouth sounds'],
	added: ['Added cut', 'Added cuts'],
} as const;

/** One cut through all tracks: samples of the uncut sound, the end exclusive. */
export interface Cut {
	readonly kind: Kind;
	readonly start: number;
	readonly end: number;
	/** How sure the detector is, 0 to 1. */
	readonly sure: number | null;
	readonly by: string;
	/** Whether the sound stays. */
	readonly keep: boolean;
}

/** One track; its peaks are base64 of Int8 pairs, lowest and highest. */
export interface Track {
	readonly name: string;
	readonly seconds: number;
	readonly peaks: string;
}

/** A word, in seconds of the uncut recording. */
export interface Word {
	readonly text: string;
	readonly start: number;
	readonly end: number;
}

/** What PUT answers: a review without its tracks. */
export interface Progress {
	readonly state: 'waiting' | 'approved' | 'finished' | 'failed';
	readonly revision: number;
	readonly review_until: string;
	readonly approved_by: string | null;
	readonly failure_reason: string | null;
	readonly mode: 'cut' | 'mute';
	readonly loudness: { readonly before_lufs: number; readonly after_lufs: number } | null;
	readonly cuts: readonly Cut[];
	readonly result_url: string | null;
}

export interface Review extends Progress {
	readonly title: string;
	readonly sample_rate: number;
	readonly samples: number;
	readonly tracks: readonly Track[];
	readonly words: readonly Word[] | null;
}
