import { HOPS_PER_SECOND } from '../signal/levels.mts';
import { countOf, runsOf, type Scene } from './scene.mts';
import { profileOf, restlessnessOf, shapeDistance } from './spectra.mts';
import type { IndexRange, TimelineEdit } from '../../shared/timeRanges.mts';

/** A shorter sound of this sort is a hesitation, a longer one a filler, hops. */
const SHORTEST_FILLER_HOPS = 32;

const SHORTEST_HOPS = 13;
const LONGEST_HOPS = 115;

/** Pauses that set a filler off from the words: this long on both sides, or a longer one on one side. */
const SHORT_PAUSE_HOPS = 4;
const PAUSE_HOPS = 8;

/** So much of it is voiced. */
const LEAST_VOICED_SHARE = 0.7;

/** Its sound changes no more than this within 30 ms, dB a band, and its pitch by no more semitones. */
const MOST_RESTLESSNESS_DB = 2.6;
const MOST_PITCH_SPREAD = 2.2;

/** At the end of a phrase it has to be steadier and longer: words end in vowels, too. */
const MOST_TAIL_CHANGE_DB = 3.2;
const SHORTEST_TAIL_HOPS = 26;
const MOST_TAIL_RESTLESSNESS_DB = 1.3;

/** The first formant of "uh", "äh", "euh" lies in these bands (400 to 900 Hz), the second in those (1.2 to 2.1 kHz). */
const FIRST_FORMANT_BANDS = [2, 5] as const;
const SECOND_FORMANT_BANDS = [7, 10] as const;
const BETWEEN_BANDS = [5, 6] as const;
const ABOVE_BANDS = [11, 14] as const;

/**
 * Finds fillers (um, uh) and hesitations (the same, shorter) by their sound: a vowel from the middle
 * of the mouth, held, at one pitch, beside a pause. Found in the denoised signal.
 */
export function findFillers(scene: Scene): TimelineEdit[] {
	const islands = runsOf(scene.isActive, 2);
	return islands.flatMap((island, index) => {
		const before = island.start - (islands[index - 1]?.end ?? 0);
		const after = (islands[index + 1]?.start ?? scene.hops) - island.end;
		const isSetOff =
			Math.max(before, after) >= PAUSE_HOPS || Math.min(before, after) >= SHORT_PAUSE_HOPS;
		if (isSetOff && isFiller(scene, island)) return [editOf(scene, island)];
		const tail = after >= PAUSE_HOPS ? heldTail(scene, island) : undefined;
		return tail && isFiller(scene, tail) ? [editOf(scene, tail)] : [];
	});
}

function isFiller(scene: Scene, range: IndexRange): boolean {
	const { isVoiced, denoised } = scene;
	const length = range.end - range.start;
	return (
		length >= SHORTEST_HOPS &&
		length <= LONGEST_HOPS &&
		countOf(isVoiced, range.start, range.end) >= LEAST_VOICED_SHARE * length &&
		restlessnessOf(denoised.mel, range) <= MOST_RESTLESSNESS_DB &&
		pitchSpread(scene, range) <= MOST_PITCH_SPREAD &&
		isCentralVowel(profileOf(denoised.mel, range))
	);
}

/** True for a vowel that is neither an ee, an oo nor an ah. */
function isCentralVowel(profile: Float32Array): boolean {
	const loudestIn = ([first, last]: readonly [number, number]) =>
		Math.max(...profile.subarray(first, last + 1));
	const first = loudestIn(FIRST_FORMANT_BANDS);
	const second = loudestIn(SECOND_FORMANT_BANDS);
	return (
		first >= Math.max(...profile) - 3 &&
		second >= loudestIn(BETWEEN_BANDS) - 4 &&
		second >= loudestIn(ABOVE_BANDS) &&
		second >= first - 16
	);
}

/** What lies between the lowest and the highest pitch, but for a fifth on either side, in semitones. */
function pitchSpread({ isVoiced, denoised }: Scene, { start, end }: IndexRange): number {
	const pitches: number[] = [];
	for (let hop = start; hop < end; hop++) {
		if (isVoiced[hop]) pitches.push(12 * Math.log2(denoised.pitchHz[hop] + 1));
	}
	const middle = pitches.toSorted((a, b) => a - b)[Math.floor(pitches.length / 2)] ?? 0;
	// An octave more or less is a slip of the measurement.
	const folded = pitches.map((pitch) => pitch - 12 * Math.round((pitch - middle) / 12));
	folded.sort((a, b) => a - b);
	const fifth = Math.floor(folded.length / 5);
	return (folded.at(-1 - fifth) ?? 0) - (folded[fifth] ?? 0);
}

/** The held sound a stretch ends with, if it is long and something else comes before it. */
function heldTail({ denoised, isVoiced }: Scene, island: IndexRange): IndexRange | undefined {
	let end = island.end;
	while (end > island.start && !isVoiced[end - 1]) end--;
	let start = end - 4;
	let restless = 0;
	while (start > island.start && isVoiced[start - 1] && restless < 3) {
		const change = shapeDistance(denoised.mel, start - 1, start + 2);
		restless = change > MOST_TAIL_CHANGE_DB ? restless + 1 : 0;
		start--;
	}
	start += restless;
	const tail = { start: start + 1, end: island.end };
	const isHeld =
		end - start >= SHORTEST_TAIL_HOPS &&
		restlessnessOf(denoised.mel, tail) <= MOST_TAIL_RESTLESSNESS_DB;
	return isHeld ? tail : undefined;
}

function editOf({ denoised }: Scene, range: IndexRange): TimelineEdit {
	const steadiness = 1 - restlessnessOf(denoised.mel, range) / MOST_RESTLESSNESS_DB;
	return {
		kind: range.end - range.start >= SHORTEST_FILLER_HOPS ? 'filler' : 'hesitation',
		startSeconds: range.start / HOPS_PER_SECOND,
		endSeconds: range.end / HOPS_PER_SECOND,
		confidence: Math.round((0.6 + 0.4 * steadiness) * 100) / 100,
	};
}
