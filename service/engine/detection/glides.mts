import type { SignalFeatures } from './features.mts';

/** Voicing of a sound whose pitch can be measured, of 255. */
export const GLIDE_MIN_VOICING = 170;

/** Pitch is measured in every second hop. In between, a voice that glides moves by this, semitones. */
const MEASURED_HOPS = 2;
const MIN_STEP = 0.25;
const MAX_STEP = 2;

/**
 * Returns 1 for every hop in which the pitch rises or falls twice in a row. Voices glide all the time.
 * Instruments mostly hold a note and jump to the next.
 *
 * @param features of the denoised signal.
 */
export function glidesOf({ hops, voicing, pitchHz }: SignalFeatures): Uint8Array {
	const glides = new Uint8Array(hops);
	let before = 0;
	for (let hop = MEASURED_HOPS; hop < hops; hop += MEASURED_HOPS) {
		const last = hop - MEASURED_HOPS;
		const isVoiced = Math.min(voicing[last], voicing[hop]) >= GLIDE_MIN_VOICING;
		const step = isVoiced ? 12 * Math.log2(pitchHz[hop] / pitchHz[last]) : 0;
		const size = Math.abs(step);
		const direction = size >= MIN_STEP && size <= MAX_STEP ? Math.sign(step) : 0;
		if (direction !== 0 && direction === before) {
			glides.fill(1, last - MEASURED_HOPS, hop + MEASURED_HOPS);
		}
		before = direction;
	}
	return glides;
}
