import { BANDS, type BandLevels } from './bandLevels.mts';

/** What a jump costs, and the most that two hops differ by, in dB. */
const JUMP_COST = 80;
const MAX_DIFFERENCE_DB = 15;

/** Larger searches are made for one join only. */
const MAX_CELLS = 4_000_000;

/** A stretch of an edited sound, in hops, which begins and ends at known distances from its source. */
export interface Stretch {
	start: number;
	end: number;
	/** The place in the source, less that in the edited sound. */
	startOffset: number;
	endOffset: number;
}

/** Returns how far each hop of a stretch is from its place in the source: it only grows, by what was cut. */
export function offsetsIn(stretch: Stretch, source: BandLevels, edited: BandLevels): Int32Array {
	const { start, end, startOffset, endOffset } = stretch;
	const [length, width] = [end - start, endOffset - startOffset + 1];
	if (length * width > MAX_CELLS) return oneJoin(stretch, source, edited);
	let costs = new Float64Array(width).fill(Infinity);
	costs[0] = 0;
	/** For each cell, the offset before it. */
	const from = new Int32Array(length * width);
	for (let hop = 0; hop < length; hop++) {
		const next = new Float64Array(width);
		let cheapest = 0;
		for (let offset = 0; offset < width; offset++) {
			if (costs[offset] < costs[cheapest]) cheapest = offset;
			const isJump = costs[cheapest] + JUMP_COST < costs[offset];
			from[hop * width + offset] = isJump ? cheapest : offset;
			const before = isJump ? costs[cheapest] + JUMP_COST : costs[offset];
			next[offset] = before + differenceOf(edited, start + hop, source, startOffset + offset);
		}
		costs = next;
	}
	const offsets = new Int32Array(length);
	let offset = width - 1;
	for (let hop = length - 1; hop >= 0; hop--) {
		offsets[hop] = startOffset + offset;
		offset = from[hop * width + offset];
	}
	return offsets;
}

/** The same where all that was cut was cut in one place. */
function oneJoin(
	{ start, end, startOffset, endOffset }: Stretch,
	source: BandLevels,
	edited: BandLevels,
): Int32Array {
	let cost = 0;
	const best = { hop: start, cost: 0 };
	for (let hop = start; hop < end; hop++) {
		cost += differenceOf(edited, hop, source, startOffset);
		cost -= differenceOf(edited, hop, source, endOffset);
		if (cost < best.cost) Object.assign(best, { hop: hop + 1, cost });
	}
	return Int32Array.from({ length: end - start }, (_, at) =>
		start + at < best.hop ? startOffset : endOffset,
	);
}

/** By how much a hop differs from its place in the source, in dB. */
export function differenceOf(
	edited: BandLevels,
	hop: number,
	source: BandLevels,
	offset: number,
): number {
	const place = hop + offset;
	if (place < 0 || place >= source.hops) return MAX_DIFFERENCE_DB;
	let sum = 0;
	for (let i = hop * BANDS, j = place * BANDS, end = i + BANDS; i < end; i++, j++) {
		sum += Math.abs(edited.levels[i] - source.levels[j]);
	}
	return Math.min(MAX_DIFFERENCE_DB, sum / BANDS);
}
