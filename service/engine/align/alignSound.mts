import { SPEECH_FORMAT } from '../../media/decode.mts';
import { openPcm } from '../../media/pcmFile.mts';
import { HOPS_PER_SECOND } from '../signal/levels.mts';
import { findAnchors, type Anchor } from './anchors.mts';
import { type BandLevels, bandLevelsOf } from './bandLevels.mts';
import { differenceOf, offsetsIn } from './joins.mts';

/** A stretch that an edited sound has of its source, in seconds. */
export interface SharedStretch {
	sourceStart: number;
	editedStart: number;
	seconds: number;
}

/** Where an edited sound and its source are the same. */
export interface Alignment {
	/** In order of both. What lies between two of them in the source was cut. */
	stretches: SharedStretch[];
	/** The share of the edited sound that is found in the source, 0 to 1. */
	share: number;
}

/** Both sounds, on disk as speech for a recognizer. */
export interface AlignRequest {
	sourcePath: string;
	editedPath: string;
}

/** A smaller step is no cut: clocks and encoders differ, hops. */
const MIN_CUT_HOPS = 4;

/** How far the exact place of an anchor is from the coarse one, and what it is heard in, hops. */
const REACH_HOPS = 5;
const HEARD_HOPS = 40;

/** Around a good anchor, the sounds differ by no more than this times the usual. */
const MAX_DIFFERENCE_SHARE = 1.5;

/**
 * Finds where an edited sound, which may be cut, louder, denoised and encoded, has its source.
 *
 * @throws the signal's reason when aborted.
 */
export async function alignSound(
	{ sourcePath, editedPath }: AlignRequest,
	signal?: AbortSignal,
): Promise<Alignment> {
	const whole = await bandLevelsOf(await openPcm(sourcePath, SPEECH_FORMAT), signal);
	const cut = await bandLevelsOf(await openPcm(editedPath, SPEECH_FORMAT), signal);
	const { anchors, share } = await findAnchors(whole, cut, signal);
	const exact = anchors.map((anchor) => exactly(anchor, whole, cut));
	return { stretches: stretchesOf(likeMost(exact), whole, cut), share };
}

/** An anchor, and by how much the sounds differ around it, in dB. */
interface ExactAnchor extends Anchor {
	difference: number;
}

/** An anchor by the exact hop: where most of what is around it is the same. */
function exactly({ edited, source }: Anchor, whole: BandLevels, cut: BandLevels): ExactAnchor {
	const best = { offset: source - edited, difference: Infinity };
	for (let step = -REACH_HOPS; step <= REACH_HOPS; step++) {
		const offset = source - edited + step;
		let difference = 0;
		const end = Math.min(cut.hops, edited + HEARD_HOPS);
		for (let hop = Math.max(0, edited - HEARD_HOPS); hop < end; hop++) {
			difference += differenceOf(cut, hop, whole, offset);
		}
		if (difference < best.difference) Object.assign(best, { offset, difference });
	}
	return { edited, source: edited + best.offset, difference: best.difference };
}

/** Leaves out anchors around which the sounds differ more than usual: a cut is within them, or they are wrong. */
function likeMost(anchors: readonly ExactAnchor[]): ExactAnchor[] {
	const sorted = anchors.map(({ difference }) => difference).sort((a, b) => a - b);
	const usual = sorted[Math.floor(sorted.length / 2)] ?? 0;
	return anchors.filter(({ difference }) => difference <= MAX_DIFFERENCE_SHARE * usual);
}

/** A stretch of an edited sound, and how far it is from its place in the source, in hops. */
interface Run {
	start: number;
	end: number;
	offset: number;
}

/** Joins the anchors to stretches without a cut. */
function stretchesOf(
	anchors: readonly Anchor[],
	whole: BandLevels,
	cut: BandLevels,
): SharedStretch[] {
	const runs: Run[] = [];
	const knots = knotsOf(anchors, whole, cut);
	for (const [at, { edited: end, source }] of knots.entries()) {
		const last = runs.at(-1);
		const offset = source - end;
		if (last === undefined) runs.push({ start: end, end, offset });
		else if (offset < last.offset + MIN_CUT_HOPS) last.end = end;
		else {
			const start = knots[at - 1].edited;
			const stretch = { start, end, startOffset: last.offset, endOffset: offset };
			for (const [hop, own] of offsetsIn(stretch, whole, cut).entries()) {
				const open = runs[runs.length - 1];
				if (own === open.offset) open.end = start + hop + 1;
				else runs.push({ start: start + hop, end: start + hop + 1, offset: own });
			}
		}
	}
	return runs
		.filter(({ start, end }) => end - start >= MIN_CUT_HOPS)
		.map(({ start, end, offset }) => ({
			sourceStart: (start + offset) / HOPS_PER_SECOND,
			editedStart: start / HOPS_PER_SECOND,
			seconds: (end - start) / HOPS_PER_SECOND,
		}));
}

/** The anchors, and what both sounds probably begin and end with. */
function knotsOf(anchors: readonly Anchor[], whole: BandLevels, cut: BandLevels): Anchor[] {
	if (anchors.length === 0) return [];
	const [first, last] = [anchors[0], anchors[anchors.length - 1]];
	const lead = Math.max(0, first.edited - first.source);
	const end = Math.min(cut.hops, whole.hops - (last.source - last.edited));
	const isWhole = whole.hops - cut.hops >= last.source - last.edited;
	return [
		{ edited: lead, source: lead === 0 ? 0 : lead + first.source - first.edited },
		...anchors,
		{ edited: end, source: isWhole ? whole.hops : end + last.source - last.edited },
	];
}
