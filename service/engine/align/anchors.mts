import { firstFrom } from '../signal/levels.mts';
import { BANDS, type BandLevels } from './bandLevels.mts';

/** A place of an edited sound, and which place of its source it is, in hops. */
export interface Anchor {
	edited: number;
	source: number;
}

/** Coarse frames: as many hops, and bands in groups. */
const FRAME_HOPS = 4;
const GROUP_BANDS = 4;
const GROUPS = BANDS / GROUP_BANDS;

/** A block that is searched for, and how far blocks are apart, in frames: 1.6 s and 0.8 s. */
const BLOCK_FRAMES = 40;
const STEP_FRAMES = 20;
const BLOCK_VALUES = BLOCK_FRAMES * GROUPS;

/** Correlations of the same sound, and of what is surely the same. */
const MIN_SAME = 0.7;
const SURE = 0.85;

/** A block with less contrast, as a standard deviation in dB, is a pause, which is like any other. */
const MIN_CONTRAST_DB = 2;

/** How far ahead of the last block the next is searched, in frames: a minute. After so many blocks in vain, everywhere. */
const AHEAD_FRAMES = 1_500;
const MAX_LOST = 8;

/**
 * The longer nothing is found, the more rarely a block is searched everywhere, and no more often than this in all: a sound
 * of something else must not take hours.
 */
const MAX_WIDE_SEARCHES = 500;

/** Where it is expected, a block is searched this far around, in frames. */
const NEAR_FRAMES = 2;

/** So many blocks are searched before anything else of the thread, such as the wish to stop, gets its turn. */
const BLOCKS_AT_ONCE = 10;

interface Frames {
	frames: number;
	values: Float32Array;
	/** Sum and energy of all values before each frame. */
	sums: Float64Array;
	energies: Float64Array;
}

/** What the search for blocks came to. */
export interface FoundAnchors {
	/** In order of both sounds. */
	anchors: Anchor[];
	/** The share of the blocks with contrast that are in the source. */
	share: number;
}

/**
 * Finds blocks of an edited sound in its source. The middle of each found block is an anchor.
 *
 * @throws the signal's reason when aborted.
 */
export async function findAnchors(
	source: BandLevels,
	edited: BandLevels,
	signal?: AbortSignal,
): Promise<FoundAnchors> {
	const [whole, cut] = [framesOf(source), framesOf(edited)];
	const found: Anchor[] = [];
	let [expected, blocks, lost, wide] = [0, 0, 0, 0];
	for (let at = 0; at + BLOCK_FRAMES <= cut.frames; at += STEP_FRAMES) {
		expected += at === 0 ? 0 : STEP_FRAMES;
		if (contrastOf(cut, at) < MIN_CONTRAST_DB) continue;
		blocks++;
		if (blocks % BLOCKS_AT_ONCE === 0) {
			await new Promise(setImmediate);
			signal?.throwIfAborted();
		}
		const isLost = found.length === 0 || lost > MAX_LOST;
		const isWide = isLost && wide < MAX_WIDE_SEARCHES && isTurnAfter(lost);
		wide += Number(isWide);
		const place = placeOf(whole, cut, at, expected, isWide);
		lost = place === undefined ? lost + 1 : 0;
		if (place === undefined) continue;
		expected = place;
		found.push({ edited: at, source: place });
	}
	const middle = BLOCK_FRAMES / 2;
	const anchors = inOrder(found).map(({ edited: at, source: place }) => ({
		edited: FRAME_HOPS * (at + middle),
		source: FRAME_HOPS * (place + middle),
	}));
	return { anchors, share: anchors.length / Math.max(1, blocks) };
}

/** Whether a block is searched everywhere after so many in vain: at first each, then of 80 each eleventh. */
function isTurnAfter(lost: number): boolean {
	return lost % (1 + Math.floor(lost / MAX_LOST)) === 0;
}

/** Where a block is in the source; undefined if it is nowhere. @param isWide whether it is searched everywhere */
function placeOf(
	whole: Frames,
	cut: Frames,
	at: number,
	expected: number,
	isWide: boolean,
): number | undefined {
	const near = bestIn(whole, cut, at, [expected - NEAR_FRAMES, expected + NEAR_FRAMES]);
	if (near.same >= SURE) return near.place;
	const range = isWide
		? ([0, whole.frames] as const)
		: ([expected, expected + AHEAD_FRAMES] as const);
	const far = bestIn(whole, cut, at, range);
	const best = far.same > near.same + 0.05 ? far : near;
	return best.same >= MIN_SAME ? best.place : undefined;
}

/** The most similar place of the source in a range of frames. */
function bestIn(whole: Frames, cut: Frames, at: number, [from, to]: readonly [number, number]) {
	const block = cut.values.subarray(at * GROUPS, at * GROUPS + BLOCK_VALUES);
	const own = momentsOf(cut, at);
	const best = { place: 0, same: -1 };
	const last = Math.min(to, whole.frames - BLOCK_FRAMES);
	for (let place = Math.max(0, from); place <= last; place++) {
		const other = momentsOf(whole, place);
		if (other.deviation < MIN_CONTRAST_DB / 2) continue;
		let product = 0;
		for (let i = 0, j = place * GROUPS; i < BLOCK_VALUES; i++, j++) {
			product += block[i] * whole.values[j];
		}
		const covariance = product / BLOCK_VALUES - own.mean * other.mean;
		const same = covariance / (own.deviation * other.deviation);
		if (same > best.same) Object.assign(best, { place, same });
	}
	return best;
}

function momentsOf({ sums, energies }: Frames, at: number) {
	const mean = (sums[at + BLOCK_FRAMES] - sums[at]) / BLOCK_VALUES;
	const energy = (energies[at + BLOCK_FRAMES] - energies[at]) / BLOCK_VALUES;
	return { mean, deviation: Math.sqrt(Math.max(1e-9, energy - mean * mean)) };
}

function contrastOf(cut: Frames, at: number): number {
	return momentsOf(cut, at).deviation;
}

function framesOf({ hops, levels }: BandLevels): Frames {
	const frames = Math.floor(hops / FRAME_HOPS);
	const values = new Float32Array(frames * GROUPS);
	const sums = new Float64Array(frames + 1);
	const energies = new Float64Array(frames + 1);
	for (let frame = 0; frame < frames; frame++) {
		for (let hop = frame * FRAME_HOPS; hop < (frame + 1) * FRAME_HOPS; hop++) {
			for (let band = 0; band < BANDS; band++) {
				const share = levels[hop * BANDS + band] / (FRAME_HOPS * GROUP_BANDS);
				values[frame * GROUPS + Math.floor(band / GROUP_BANDS)] += share;
			}
		}
		const own = values.subarray(frame * GROUPS, (frame + 1) * GROUPS);
		sums[frame + 1] = sums[frame] + own.reduce((sum, value) => sum + value, 0);
		energies[frame + 1] = energies[frame] + own.reduce((sum, value) => sum + value * value, 0);
	}
	return { frames, values, sums, energies };
}

/**
 * Returns as many anchors as there are that are never nearer to the beginning of the source than one before: sound is
 * only taken out. The others were found in the wrong place.
 */
function inOrder(anchors: readonly Anchor[]): Anchor[] {
	/** The anchor that ends the best row of each length, and for each anchor the one before it in its row. */
	const ends: number[] = [];
	const before: number[] = [];
	const offsets = anchors.map(({ edited, source }) => source - edited);
	for (const [at, offset] of offsets.entries()) {
		const length = firstFrom(ends, (end) => offsets[end] <= offset);
		before.push(length === 0 ? -1 : ends[length - 1]);
		ends[length] = at;
	}
	const row: Anchor[] = [];
	for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]) row.push(anchors[at]);
	return row.reverse();
}
