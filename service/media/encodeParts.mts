import { availableParallelism } from 'node:os';

/** A stretch of the output that is encoded by itself; positions at the output's sample rate. */
export interface EncodePart {
	/** What is kept of it begins here. */
	start: number;
	/** Encoding begins so early that the encoder is as settled at `start` as if it had come there. */
	from: number;
	/** Encoding ends here: after what is kept, so that the encoder sees what comes. */
	to: number;
}

/** What is to be split. */
interface Whole {
	/** Length at the output's sample rate. */
	frames: number;
	rateHz: number;
	/** Rate of what is encoded. */
	inputRateHz: number;
	/** Samples of one frame of the codec. */
	frameSamples: number;
}

/** Less is not worth another encoder. */
const SHORTEST_PART_SECONDS = 30;

/** How long an encoder listens before what is kept of its work. */
const WARM_UP_SECONDS = 2;

/** More frames than the encoder looks ahead by. */
const FRAMES_BEHIND = 8;

/** Each encoder takes some 20 MB. */
const MOST_PARTS = Math.min(availableParallelism(), 4);

/**
 * Splits a recording into one part for each core. Parts begin at frame boundaries where a sample of
 * the input lies, too, so that the frames of a part are those of the whole.
 */
export function partsOf(whole: Whole, mostParts = MOST_PARTS): EncodePart[] {
	const { frames, rateHz, inputRateHz, frameSamples } = whole;
	const step = leastCommonMultiple(
		frameSamples,
		rateHz / greatestCommonDivisor(rateHz, inputRateHz),
	);
	const wanted = Math.floor(frames / (SHORTEST_PART_SECONDS * rateHz));
	const count = Math.max(1, Math.min(mostParts, wanted));
	const warmUp = Math.ceil((WARM_UP_SECONDS * rateHz) / step) * step;
	const starts = Array.from({ length: count }, (_, index) =>
		index === 0 ? 0 : Math.round((frames * index) / count / step) * step,
	);
	return starts.map((start, index) => ({
		start,
		from: Math.max(0, start - warmUp),
		to: index + 1 < count ? starts[index + 1] + FRAMES_BEHIND * frameSamples : frames,
	}));
}

function greatestCommonDivisor(a: number, b: number): number {
	return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function leastCommonMultiple(a: number, b: number): number {
	return (a / greatestCommonDivisor(a, b)) * b;
}
