import { availableParallelism } from 'node:os';

/** A stretch of the output that is encoded separately. Positions at the output's sample rate. */
export interface EncodePart {
	/** First frame that is kept. */
	start: number;
	/** Where encoding begins: early enough for the encoder to have settled by `start`. */
	from: number;
	/** Where encoding ends: after the last kept frame, so that the encoder can look ahead. */
	to: number;
}

/** The recording to split: its length at the output's sample rate, and the samples per codec frame. */
type Whole = Record<'frames' | 'rateHz' | 'inputRateHz' | 'frameSamples', number>;

/** A shorter part does not justify another encoder. */
const MIN_PART_SECONDS = 30;

/** Seconds encoded before the first kept frame, and then dropped. */
const WARM_UP_SECONDS = 2;

/** More frames than the encoder looks ahead. */
const LOOK_AHEAD_FRAMES = 8;

/** Each encoder takes about 20 MB. */
const MAX_PARTS = Math.min(availableParallelism(), 4);

/**
 * Splits a recording into one part per core. Parts begin at frame boundaries that coincide with an
 * input sample, so that their frames equal those of a single encode.
 */
export function partsOf(whole: Whole, maxParts = MAX_PARTS): EncodePart[] {
	const { frames, rateHz, inputRateHz, frameSamples } = whole;
	const inputStep = rateHz / greatestCommonDivisor(rateHz, inputRateHz);
	const step = (frameSamples / greatestCommonDivisor(frameSamples, inputStep)) * inputStep;
	const wanted = Math.floor(frames / (MIN_PART_SECONDS * rateHz));
	const count = Math.max(1, Math.min(maxParts, wanted));
	const warmUp = Math.ceil((WARM_UP_SECONDS * rateHz) / step) * step;
	const starts = Array.from({ length: count }, (_, index) =>
		index === 0 ? 0 : Math.round((frames * index) / count / step) * step,
	);
	return starts.map((start, index) => ({
		start,
		from: Math.max(0, start - warmUp),
		to: index + 1 < count ? starts[index + 1] + LOOK_AHEAD_FRAMES * frameSamples : frames,
	}));
}

function greatestCommonDivisor(a: number, b: number): number {
	return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
