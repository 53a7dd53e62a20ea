import type { Chance } from '../../../testkit/measure/chance.mts';
import {
	addAt,
	atRms,
	faded,
	framesOf,
	resonated,
	rms,
	toDb,
	whiteNoise,
} from '../../../testkit/media/signals.mts';
import { envelopeOf, formantsOf } from './formants.mts';
import { HOP_SECONDS, WORD } from '../scene.mts';
import { voicingAt, type Take } from './takes.mts';

/** The shortest and longest piece, in hops: a vowel stays itself no longer. */
const MIN_PIECE_HOPS = 6;
const MAX_PIECE_HOPS = 9;

/** A sound that is held changes no more than this from one half of the piece to the other, dB a band. */
const MAX_CHANGE_DB = 2.5;

/** A mouth that is open as for a breath has its first two formants here, Hz. */
const OPEN_VOWEL = { f1: [330, 780], f2: [1_050, 2_000] } as const;

/** The vowels of a speaker with the mouth open. */
export function openVowelsOf(takes: readonly Take[]): Float32Array[] {
	return takes
		.flatMap((take) => steadyPiecesOf(take))
		.filter((piece) => {
			const [f1, f2] = formantsOf(piece);
			return isWithin(f1, OPEN_VOWEL.f1) && isWithin(f2, OPEN_VOWEL.f2);
		});
}

/** Stretches of a take with a steady pitch, loudness and sound. */
function steadyPiecesOf({ samples, marks }: Take): Float32Array[] {
	const pieces: Float32Array[] = [];
	let run: number[] = [];
	for (let hop = 0; hop <= marks.length; hop++) {
		const frame = framesOf(hop * HOP_SECONDS);
		const { strength, pitchHz } = voicingAt(samples, frame);
		const last = run.at(-1) ?? pitchHz;
		const goesOn = marks[hop] === WORD && strength > 0.85 && Math.abs(pitchHz / last - 1) < 0.04;
		if (goesOn) {
			run.push(pitchHz);
			continue;
		}
		if (run.length >= MIN_PIECE_HOPS) {
			const start = framesOf((hop - run.length) * HOP_SECONDS);
			const piece = steadiest(samples.slice(start, frame));
			const isHeld = changeWithin(piece) <= MAX_CHANGE_DB && rms(piece) > 0.4;
			if (isHeld) pieces.push(piece);
		}
		run = [];
	}
	return pieces;
}

/** The part of a voiced stretch in which the mouth moves least. */
function steadiest(samples: Float32Array): Float32Array {
	const [length, step] = [framesOf(MAX_PIECE_HOPS * HOP_SECONDS), framesOf(HOP_SECONDS)];
	let best = samples.subarray(0, length);
	for (let start = step; start + length <= samples.length; start += step) {
		const part = samples.subarray(start, start + length);
		if (changeWithin(part) < changeWithin(best)) best = part;
	}
	return best;
}

/** The mean difference between the envelopes of the two halves, dB. */
function changeWithin(samples: Float32Array): number {
	const middle = Math.floor(samples.length / 2);
	const [first, second] = [samples.subarray(0, middle), samples.subarray(middle)].map(envelopeOf);
	const changes = first.map(({ gain }, band) => Math.abs(toDb(gain / second[band].gain)));
	return changes.reduce((sum, change) => sum + change, 0) / changes.length;
}

/**
 * A breath at RMS 1: noise through the speaker's own vocal tract, as wide open as for one of the
 * vowels, with more of the high frequencies. Asterisk's recordings have had their own breaths cut out.
 */
export function breathOf(vowel: Float32Array, chance: Chance): Float32Array {
	const seconds = chance.between(0.22, 0.65);
	const noise = whiteNoise(framesOf(seconds), chance);
	const sound = new Float32Array(noise.length);
	for (const { hz, gain } of envelopeOf(vowel)) {
		addAt(sound, resonated(noise, hz, 300), 0, gain * Math.sqrt(hz / 1_000));
	}
	const rise = chance.between(0.3, 0.75) * seconds;
	faded(sound, rise, (seconds - rise) * chance.between(0.4, 0.9));
	return atRms(sound, 1);
}

function isWithin(value: number | undefined, [low, high]: readonly [number, number]): boolean {
	return value !== undefined && value >= low && value <= high;
}
