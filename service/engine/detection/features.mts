import { SILENCE_DB } from '../signal/levels.mts';
import { MEL_BANDS } from './melSpectrum.mts';

/** What is known of a recording every 10 ms; about 10 MB an hour. */
export interface SignalFeatures {
	hops: number;
	/** RMS of the loudest channel, dBFS. */
	levels: Float32Array;
	/** RMS without the lows (6 dB an octave), in which clicks stand out, dBFS. */
	edges: Float32Array;
	/** The loudest millisecond of that, dBFS. */
	peaks: Float32Array;
	/** Level in each of MEL_BANDS bands, low to high, in half decibels above -120 dBFS. */
	mel: Uint8Array;
	/** How alike one period of the sound is to the next: 0 for noise, 255 for a held tone. */
	voicing: Uint8Array;
	/** Pitch where voiced, Hz. */
	pitchHz: Float32Array;
	/** 1 where WebRTC's detector hears a voice. */
	isVoice: Uint8Array;
}

/** Features of digital silence. */
export function newFeatures(hops: number): SignalFeatures {
	return {
		hops,
		levels: new Float32Array(hops).fill(SILENCE_DB),
		edges: new Float32Array(hops).fill(SILENCE_DB),
		peaks: new Float32Array(hops).fill(SILENCE_DB),
		isVoice: new Uint8Array(hops),
		mel: new Uint8Array(hops * MEL_BANDS),
		voicing: new Uint8Array(hops),
		pitchHz: new Float32Array(hops),
	};
}

/** Joins the features of stretches that follow each other. */
export function joinedFeatures(parts: readonly SignalFeatures[]): SignalFeatures {
	const whole = newFeatures(parts.reduce((sum, { hops }) => sum + hops, 0));
	let hop = 0;
	for (const part of parts) {
		for (const key of ['levels', 'edges', 'peaks', 'pitchHz'] as const)
			whole[key].set(part[key], hop);
		for (const key of ['isVoice', 'voicing'] as const) whole[key].set(part[key], hop);
		whole.mel.set(part.mel, hop * MEL_BANDS);
		hop += part.hops;
	}
	return whole;
}
