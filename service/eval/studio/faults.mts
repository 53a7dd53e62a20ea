import { lowPassed, resonated, scaled } from '../../../testkit/media/signals.mts';

/** What a microphone, its place or a room makes of a voice, other than with the engine's filters. */
export const FAULTS: Readonly<Record<string, (voice: Float32Array) => Float32Array>> = {
	/** 10 dB more at 450 Hz. */
	boxy: (voice) => plus(voice, 2.2, resonated(voice, 450, 450)),
	/** From 1.5 kHz on less and less, up to 14 dB. */
	dull: (voice) => plus(scaled(voice, 0.2), 0.8, lowPassed(voice, 1_500)),
	/** 12 dB more at 80 Hz, 6 dB more at 300 Hz, as close to the microphone. */
	boomy: (voice) => plus(voice, 3, lowPassed(voice, 150)),
};

function plus(voice: Float32Array, gain: number, more: Float32Array): Float32Array {
	return voice.map((sample, frame) => sample + gain * more[frame]);
}
