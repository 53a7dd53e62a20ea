import type { Cut } from '../../../../shared/cuts.mts';

/** What the service answers about a review, as the page reads it. */

export type { Cut };
export type Kind = Cut['kind'];

/** The kinds of cuts in a visitor's words: one, and several. */
export const KIND_WORDS: Readonly<Record<Kind, readonly [string, string]>> = {
	filler: ['Filler word', 'Filler words'],
	hesitation: ['Hesitation', 'Hesitations'],
	stutter: ['Stutter', 'Stutters'],
	long_silence: ['Long silence', 'Long silences'],
	breath: ['Breath', 'Breaths'],
	mouth_sound: ['Mouth sound', 'Mouth sounds'],
	added: ['Added cut', 'Added cuts'],
};

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

/** What changes in a review. */
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

/** Returns the peaks of a track between -1 and 1, with silence up to the end of the longest track. */
export function peaksOf({ peaks, seconds }: Track, maxLengthSeconds: number): Float32Array {
	const bytes = Uint8Array.from(atob(peaks), (character) => character.charCodeAt(0));
	const own = new Int8Array(bytes.buffer);
	const length = Math.round((own.length * maxLengthSeconds) / seconds);
	return Float32Array.from({ length }, (_, place) => (own[place] ?? 0) / 127);
}
