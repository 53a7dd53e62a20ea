import { addAt, framesOf } from '../../../testkit/media/signals.mts';
import { decodeTakes } from '../recorded/decodeTakes.mts';
import { speakersOf, type Half } from '../recorded/speakers.mts';
import type { Take } from '../recorded/takes.mts';
import { HOP_SECONDS, SPEECH_RMS, WORD } from '../scene.mts';

/** Pause before and after each letter, in seconds. */
const PAUSE_SECONDS = 1.2;

/** What counts as the beginning of a letter, in seconds. */
const ONSET_SECONDS = 0.03;

/**
 * Every letter that the speakers of one half recorded, with pauses between them: their beginnings, which are returned
 * in frames, are the first thing that denoisers lose.
 */
export async function lettersOf(half: Half) {
	const takes: Take[] = [];
	for (const { prompts, ...speaker } of speakersOf(half)) {
		const letters = prompts.filter(({ path }) => path.includes('/letters/'));
		const decoded = await decodeTakes({ ...speaker, prompts: letters });
		takes.push(...decoded.takes);
	}
	const pause = framesOf(PAUSE_SECONDS);
	const frames = takes.reduce((sum, { samples }) => sum + samples.length + pause, pause);
	const clean = new Float32Array(frames);
	let frame = pause;
	const onsets = takes.map(({ samples, marks }) => {
		const onset = frame + framesOf(marks.indexOf(WORD) * HOP_SECONDS);
		addAt(clean, samples, frame, SPEECH_RMS);
		frame += samples.length + pause;
		return onset;
	});
	return { clean, onsets };
}

/**
 * How much of each letter's beginning is missing, dB. A beginning that the noise drowns does
 * not count: it is inaudible before and after.
 */
export function onsetLossesDb(
	{ clean, onsets }: Awaited<ReturnType<typeof lettersOf>>,
	noisy: Float32Array,
	output: Float32Array,
): number[] {
	return onsets.flatMap((onset) => {
		let [energy, kept, noise] = [0, 0, 0];
		for (let i = onset; i < onset + framesOf(ONSET_SECONDS); i++) {
			energy += clean[i] ** 2;
			kept += clean[i] * output[i];
			noise += (noisy[i] - clean[i]) ** 2;
		}
		return energy < noise ? [] : [-20 * Math.log10(Math.max(1e-3, kept / energy))];
	});
}
