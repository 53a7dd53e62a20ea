import { SILENCE_DB } from '../signal/levels.mts';
import { sharedBytes, sharedFloats } from '../signal/sharedArrays.mts';
import { MEL_BANDS } from './melSpectrum.mts';

/** Which features are measured besides those that every detector needs. */
export interface FeatureNeeds {
	/** `edges` and `peaks`, for mouth sounds. */
	readonly edges: boolean;
	/** `isVoice`, for stutters. */
	readonly voices: boolean;
}

/** What is known of a recording every 10 ms; about 10 MB an hour. */
export type SignalFeatures = ReturnType<typeof newFeatures>;

/** Features of digital silence, in memory that threads share: each writes its own hops. */
export function newFeatures(hops: number) {
	return {
		hops,
		/** RMS of the loudest channel, dBFS. */
		levels: sharedFloats(hops).fill(SILENCE_DB),
		/** RMS without the lows (6 dB an octave), in which clicks stand out, dBFS; if they are needed. */
		edges: sharedFloats(hops).fill(SILENCE_DB),
		/** The loudest millisecond of that, dBFS. */
		peaks: sharedFloats(hops).fill(SILENCE_DB),
		/** Level in each of MEL_BANDS bands, low to high, in half decibels above -120 dBFS. */
		mel: sharedBytes(hops * MEL_BANDS),
		/** How alike one period of the sound is to the next: 0 for noise, 255 for a held tone. */
		voicing: sharedBytes(hops),
		/** Pitch where voiced, Hz. */
		pitchHz: sharedFloats(hops),
		/** 1 where WebRTC's detector hears a voice; if that is needed. */
		isVoice: sharedBytes(hops),
	};
}
