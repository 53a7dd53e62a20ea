import { Chance } from '../chance.mts';
import {
	addAt,
	atRms,
	faded,
	framesOf,
	lowPassed,
	RATE_HZ,
	resonated,
	rms,
	toDb,
	whiteNoise,
} from '../signals.mts';
import { envelopeOf, formantsOf } from './formants.mts';
import { HOP_SECONDS, WORD } from '../scene.mts';
import { voicingAt, type Take } from './takes.mts';

/** A piece of a recording in which a voice holds one sound. */
export interface HeldPiece {
	samples: Float32Array;
	periodFrames: number;
}

/** The shortest and longest piece, in hops: a vowel stays itself no longer. */
const SHORTEST_PIECE_HOPS = 6;
const LONGEST_PIECE_HOPS = 9;

/** A sound that is held changes no more than this from one half of the piece to the other, dB a band. */
const MOST_CHANGE_DB = 2.5;

/** Vowels that people fill pauses with have their first two formants here: uh, euh, äh, eh; Hz. */
const FILLER_VOWEL = { f1: [330, 780], f2: [1_050, 2_000] } as const;

/** The vowels of a speaker that may be held as a filler. */
export function fillerVowelsOf(takes: readonly Take[]): HeldPiece[] {
	return takes
		.flatMap((take) => steadyPiecesOf(take))
		.filter(({ samples }) => {
			const [f1, f2] = formantsOf(samples);
			return isWithin(f1, FILLER_VOWEL.f1) && isWithin(f2, FILLER_VOWEL.f2);
		});
}

/** The nasals of a speaker, from the names of the letters m and n. */
export function nasalsOf(takes: readonly Take[]): HeldPiece[] {
	return takes
		.filter(({ path }) => /letters\/[mn]\./.test(path))
		.flatMap((take) => steadyPiecesOf(take))
		.filter(({ samples }) => {
			const low = rms(lowPassed(lowPassed(samples, 500), 500));
			return low > 0.75 * rms(samples);
		});
}

/** Stretches of a take with a steady pitch, loudness and sound. */
function steadyPiecesOf({ samples, marks }: Take): HeldPiece[] {
	const pieces: HeldPiece[] = [];
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
		if (run.length >= SHORTEST_PIECE_HOPS) {
			const start = framesOf((hop - run.length) * HOP_SECONDS);
			const piece = steadiest(samples.slice(start, frame));
			const pitch = run.toSorted((a, b) => a - b)[Math.floor(run.length / 2)];
			const isHeld = changeWithin(piece) <= MOST_CHANGE_DB && rms(piece) > 0.4;
			if (isHeld) pieces.push({ samples: piece, periodFrames: RATE_HZ / pitch });
		}
		run = [];
	}
	return pieces;
}

/** The part of a voiced stretch in which the mouth moves least. */
function steadiest(samples: Float32Array): Float32Array {
	const [length, step] = [framesOf(LONGEST_PIECE_HOPS * HOP_SECONDS), framesOf(HOP_SECONDS)];
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
 * Returns a voiced piece held for a time, at RMS 1. Grains of two periods, taken from all over the piece
 * in its own order, overlap at a pitch that sinks a little. This keeps the speaker's voice.
 */
export function held(piece: HeldPiece, seconds: number, chance: Chance): Float32Array {
	const { samples } = piece;
	const output = new Float32Array(framesOf(seconds));
	const fall = chance.between(0.97, 1.0);
	let place = 0;
	let target = 0;
	const most = samples.length - 2 * Math.ceil(piece.periodFrames) - 1;
	let direction = 1;
	while (target < output.length) {
		const period = piece.periodFrames;
		addGrain(output, samples, Math.round(place), Math.round(target), Math.round(period));
		const share = target / output.length;
		target += (period / (1 - (1 - fall) * share)) * chance.between(0.992, 1.008);
		place += direction * period;
		if (place > most || place < 0) {
			direction = -direction;
			place = Math.min(Math.max(0, place + 2 * direction * period), Math.max(0, most));
		}
	}
	for (let i = 0; i < output.length; i++) output[i] *= 1 - (0.4 * i) / output.length;
	return atRms(faded(output, 0.03, 0.06), 1);
}

/** Two periods under a Hann window. */
function addGrain(
	output: Float32Array,
	samples: Float32Array,
	from: number,
	to: number,
	period: number,
): void {
	for (let i = 0; i < 2 * period; i++) {
		const [source, place] = [from + i, to + i - period];
		if (source >= samples.length || place < 0 || place >= output.length) continue;
		output[place] += samples[source] * (0.5 - 0.5 * Math.cos((Math.PI * i) / period));
	}
}

/** One sound that turns into another, as "um" does. */
export function joined(first: Float32Array, second: Float32Array): Float32Array {
	const overlap = framesOf(0.06);
	const sound = new Float32Array(first.length + second.length - overlap);
	addAt(sound, faded(first.slice(), 0.001, 0.06), 0);
	addAt(sound, faded(second.slice(), 0.06, 0.001), first.length - overlap, 0.7);
	return atRms(sound, 1);
}

/**
 * A breath at RMS 1: noise through the speaker's own vocal tract, as wide open as for one of the
 * vowels, with more of the high frequencies. Asterisk's recordings have had their own breaths cut out.
 */
export function breathOf(vowel: HeldPiece, chance: Chance): Float32Array {
	const seconds = chance.between(0.22, 0.65);
	const noise = whiteNoise(framesOf(seconds), chance);
	const sound = new Float32Array(noise.length);
	for (const { hz, gain } of envelopeOf(vowel.samples)) {
		addAt(sound, resonated(noise, hz, 300), 0, gain * Math.sqrt(hz / 1_000));
	}
	const rise = chance.between(0.3, 0.75) * seconds;
	faded(sound, rise, (seconds - rise) * chance.between(0.4, 0.9));
	return atRms(sound, 1);
}

function isWithin(value: number | undefined, [low, high]: readonly [number, number]): boolean {
	return value !== undefined && value >= low && value <= high;
}
