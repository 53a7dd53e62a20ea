import type { SignalFeatures } from '../detection/features.mts';
import { MEL_BANDS } from '../detection/melSpectrum.mts';
import { meansAround, noiseFloorDb, quantile, speechLevelDb } from '../signal/levels.mts';

/** Features hold spectra in half decibels above -120 dBFS. */
const STEPS_PER_DB = 2;
const SILENT_DB = -120;

/** Somebody speaks where it is no softer than this below their own speech, and as far above the floor, dB. */
const SPEECH_DEPTH_DB = 30;
const SPEECH_MARGIN_DB = 8;

/** How a voice comes into another microphone shows where it is at least this loud, dB below its own speech. */
const LOUD_DEPTH_DB = 15;

/** A voice is this far above the noise in bands that show it, dB. */
const CLEAR_MARGIN_DB = 10;

/** The softest of what is heard in the other microphone while somebody speaks is the voice alone, as a share. */
const ALONE_SHARE = 0.4;

/** Fewer hops do not show how a voice comes over. */
const MIN_HOPS = 50;

/** A room goes on sounding: it loses this much in a hop, dB. */
const DECAY_DB = 1;

/** Bands in which a sound is this much louder than what comes over show another sound, if they are this many. */
const OWN_MARGIN_DB = 5;
const OWN_SHARE = 0.15;

/** What is heard for less than half of 50 ms is no voice. */
const STEADY_REACH_HOPS = 2;
const STEADY_SHARE = 0.5;

/** Who is heard in a microphone, for every hop. */
export interface Heard {
	/** 1 where the microphone's own person speaks, breathes or laughs. */
	readonly isOwn: Uint8Array;
	/** 1 where somebody else speaks who may come over. */
	readonly isOther: Uint8Array;
}

/** How loud a microphone is, dB, and where somebody speaks. */
interface Microphone {
	readonly features: SignalFeatures;
	readonly speechDb: number;
	readonly isSpeech: Uint8Array;
}

/** One band of a microphone's spectra, dB. */
interface Band {
	readonly levels: Float32Array;
	readonly floor: Float32Array;
}

/**
 * Tells in each of several microphones the own person from those who come over from the other ones: what is louder
 * there, in some of the bands, than what comes over at most is the microphone's own.
 *
 * @param features of the tracks of one recording, as they came; all begin at the same time.
 */
export function ownVoicesIn(features: readonly SignalFeatures[]): Heard[] {
	const microphones = features.map(microphoneOf);
	const above = features.map(({ hops }) => new Uint8Array(hops));
	for (let band = 0; band < MEL_BANDS; band++) {
		const bands = features.map((one) => bandOf(one, band));
		for (const [own, counts] of above.entries()) {
			const most = mostExpected(microphones, bands, own);
			const { levels } = bands[own];
			for (let hop = 0; hop < counts.length; hop++) {
				if (levels[hop] > most[hop] + OWN_MARGIN_DB) counts[hop]++;
			}
		}
	}
	return above.map((counts, track) => {
		const isAbove = counts.map((count) => Number(count >= OWN_SHARE * MEL_BANDS));
		const share = meansAround(isAbove, STEADY_REACH_HOPS);
		const others = microphones.filter((_, other) => other !== track);
		return {
			isOwn: isAbove.map((_, hop) => Number(share[hop] >= STEADY_SHARE)),
			isOther: isAbove.map((_, hop) => Number(others.some(({ isSpeech }) => isSpeech[hop] === 1))),
		};
	});
}

function microphoneOf(features: SignalFeatures): Microphone {
	const { levels } = features;
	const speechDb = speechLevelDb(levels);
	const floor = noiseFloorDb(levels);
	const isSpeech = Uint8Array.from(levels, (level, hop) =>
		Number(level > Math.max(speechDb - SPEECH_DEPTH_DB, floor[hop] + SPEECH_MARGIN_DB)),
	);
	return { features, speechDb, isSpeech };
}

function bandOf({ hops, mel }: SignalFeatures, band: number): Band {
	const levels = Float32Array.from({ length: hops }, (_, hop) => {
		return mel[hop * MEL_BANDS + band] / STEPS_PER_DB + SILENT_DB;
	});
	return { levels, floor: noiseFloorDb(levels) };
}

/** How loud one band of a microphone is without its own person: its noise, and all who come over, dB. */
function mostExpected(
	microphones: readonly Microphone[],
	bands: readonly Band[],
	own: number,
): Float32Array {
	const energies = bands[own].floor.map(energyOf);
	for (const [other, band] of bands.entries()) {
		const ratio = other === own ? undefined : ratioOf(microphones, bands, own, other);
		if (ratio === undefined) continue;
		const { levels } = band;
		let last = SILENT_DB;
		for (let hop = 0; hop < Math.min(energies.length, levels.length); hop++) {
			const around = Math.max(
				levels[hop],
				levels[hop - 1] ?? SILENT_DB,
				levels[hop + 1] ?? SILENT_DB,
			);
			last = Math.max(around + ratio, last - DECAY_DB);
			energies[hop] += energyOf(last);
		}
	}
	return energies.map((energy) => 10 * Math.log10(energy));
}

/** How much softer one band of another person comes over, dB; undefined if it is never heard. */
function ratioOf(
	microphones: readonly Microphone[],
	bands: readonly Band[],
	own: number,
	other: number,
): number | undefined {
	const [mine, theirs] = [bands[own].levels, bands[other].levels];
	const { floor } = bands[other];
	const ratios: number[] = [];
	for (let hop = 0; hop < Math.min(mine.length, theirs.length); hop++) {
		if (theirs[hop] < floor[hop] + CLEAR_MARGIN_DB) continue;
		if (isTurnOf(microphones[other], microphones[own], hop)) ratios.push(mine[hop] - theirs[hop]);
	}
	return ratios.length < MIN_HOPS ? undefined : quantile(ratios, ALONE_SHARE);
}

/** Whether one person speaks loudly, and is nearer to their usual level than the other person. */
function isTurnOf(one: Microphone, other: Microphone, hop: number): boolean {
	const [aboveOne, aboveOther] = [one, other].map(({ features, speechDb }) => {
		return features.levels[hop] - speechDb;
	});
	return aboveOne > -LOUD_DEPTH_DB && aboveOne > aboveOther;
}

function energyOf(levelDb: number): number {
	return 10 ** (levelDb / 10);
}
