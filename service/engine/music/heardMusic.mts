import { sharedFloats } from '../signal/sharedArrays.mts';

/** Seconds between two moments that are listened to. */
export const STEP_SECONDS = 0.48;

/** What was not listened to: as good as impossible. */
export const UNHEARD = -20;

/** Nobody hears or misses what is softer, as a mean square: -80 dBFS. */
export const FAINTEST = 1e-8;

/** What is heard at each step of a recording, as logits: 0 is 50 %. */
export type HeardMusic = ReturnType<typeof newHeardMusic>;

/** Nothing heard yet, in memory that threads share: each writes its own steps. */
export function newHeardMusic(seconds: number) {
	const steps = Math.ceil(seconds / STEP_SECONDS);
	return {
		/** Music and song, in the recording, and in what the noise reduction takes away. */
		music: sharedFloats(steps).fill(UNHEARD),
		musicTaken: sharedFloats(steps).fill(UNHEARD),
		/** Laughter, applause and typing in the recording. */
		laughter: sharedFloats(steps).fill(UNHEARD),
		applause: sharedFloats(steps).fill(UNHEARD),
		typing: sharedFloats(steps).fill(UNHEARD),
		/** How much the noise reduction takes away, as a mean square; 0 if there is none. */
		taken: sharedFloats(steps),
		/** How much of it goes on: more than this is taken away for half of the time. Of the strokes of keys, little is. */
		steadilyTaken: sharedFloats(steps),
	};
}
