import type { Cut } from '../../shared/cuts.mts';
import type { IndexRange } from '../../shared/timeRanges.mts';
import type { KeptRecording } from './keptSchema.mts';

/** How long a clip is: a person knows by then what the speaker says. */
const CLIP_SECONDS = 6;

/** A longer cut is heard from end to end, with so much around it, and no clip is longer than this. */
const AROUND_SECONDS = 1;
const MAX_CLIP_SECONDS = 60;

/** Nobody hears the inside of a cut after it is made; so much of each end is read for the fade and the level there. */
const READ_SECONDS = 1;

/** What a clip plays: these stretches of the kept sound one after the other, with these cuts, counted from its start. */
export interface ClipPlan {
	stretches: IndexRange[];
	cuts: IndexRange[];
}

type Scale = Pick<KeptRecording, 'mode' | 'sampleRateHz' | 'samples'>;

/** Returns what is heard of a cut before it is made: the cut in the middle of six seconds, or all of a longer one. */
export function planBefore(cut: IndexRange, { sampleRateHz, samples }: Scale): ClipPlan {
	const wanted = Math.max(CLIP_SECONDS, (cut.end - cut.start) / sampleRateHz + 2 * AROUND_SECONDS);
	const length = Math.min(samples, Math.round(Math.min(wanted, MAX_CLIP_SECONDS) * sampleRateHz));
	const middle = Math.min(
		(cut.start + cut.end - length) / 2,
		cut.start - AROUND_SECONDS * sampleRateHz,
	);
	const start = Math.max(0, Math.min(samples - length, Math.round(Math.max(middle, 0))));
	return { stretches: [{ start, end: start + length }], cuts: [] };
}

/**
 * Returns what is heard after a cut is made: three seconds before it and after it, or more on one side if the recording
 * has less on the other. In a muted recording, the same stretch as before.
 *
 * @param others what else is cut, in order and without overlap.
 */
export function planAfter(cut: IndexRange, others: readonly Cut[], scale: Scale): ClipPlan {
	const all = [...others.filter(({ start }) => start !== cut.start), cut].sort(
		(a, b) => a.start - b.start,
	);
	if (scale.mode === 'mute') {
		const [stretch] = planBefore(cut, scale).stretches;
		return { stretches: [stretch], cuts: within(all, stretch) };
	}
	const own = all.indexOf(cut);
	const half = (CLIP_SECONDS / 2) * scale.sampleRateHz;
	const before = keptBefore(all.slice(0, own), cut.start);
	const after = keptAfter(all.slice(own + 1), cut.end, scale.samples);
	const [left, right] = [lengthOf(before), lengthOf(after)];
	const wantedLeft = Math.min(left, Math.max(half, 2 * half - right));
	const kept = [...lastOf(before, wantedLeft), ...firstOf(after, 2 * half - wantedLeft)];
	const [from, to] = [kept.at(0)?.start ?? 0, kept.at(-1)?.end ?? scale.samples];
	const heard = all.filter((one) => one === cut || (one.start >= from && one.end <= to));
	return joinedAt(kept, heard, Math.round(READ_SECONDS * scale.sampleRateHz));
}

/** What stays before a place, in order. */
function keptBefore(cuts: readonly IndexRange[], end: number): IndexRange[] {
	const starts = [0, ...cuts.map((cut) => cut.end)];
	const ends = [...cuts.map((cut) => cut.start), end];
	return starts.map((start, at) => ({ start, end: ends[at] })).filter(isLong);
}

/** What stays after a place, in order. */
function keptAfter(cuts: readonly IndexRange[], start: number, samples: number): IndexRange[] {
	const starts = [start, ...cuts.map((cut) => cut.end)];
	const ends = [...cuts.map((cut) => cut.start), samples];
	return starts.map((from, at) => ({ start: from, end: ends[at] })).filter(isLong);
}

function isLong({ start, end }: IndexRange): boolean {
	return end > start;
}

function lengthOf(ranges: readonly IndexRange[]): number {
	return ranges.reduce((sum, { start, end }) => sum + end - start, 0);
}

/** The first samples of ranges. */
function firstOf(ranges: readonly IndexRange[], samples: number): IndexRange[] {
	let left = samples;
	return ranges
		.map(({ start, end }) => {
			const own = Math.min(left, end - start);
			left -= own;
			return { start, end: start + own };
		})
		.filter(isLong);
}

/** The last samples of ranges. */
function lastOf(ranges: readonly IndexRange[], samples: number): IndexRange[] {
	const turned = ranges.map(({ start, end }) => ({ start: -end, end: -start })).reverse();
	return firstOf(turned, samples)
		.map(({ start, end }) => ({ start: -end, end: -start }))
		.reverse();
}

/** What stays, and between it the cuts, whose insides are left out. */
function joinedAt(
	kept: readonly IndexRange[],
	cuts: readonly IndexRange[],
	readSamples: number,
): ClipPlan {
	const plan: ClipPlan = { stretches: [], cuts: [] };
	let length = 0;
	const add = (stretch: IndexRange) => {
		if (!isLong(stretch)) return;
		plan.stretches.push(stretch);
		length += stretch.end - stretch.start;
	};
	for (const part of [...kept, ...cuts].sort((a, b) => a.start - b.start)) {
		if (kept.includes(part)) {
			add(part);
			continue;
		}
		const { start, end } = part;
		const from = length;
		const halfway = Math.floor((start + end) / 2);
		add({ start, end: Math.min(halfway, start + readSamples) });
		add({ start: Math.max(halfway, end - readSamples), end });
		plan.cuts.push({ start: from, end: length });
	}
	return plan;
}

/** The parts of cuts in a stretch, counted from its start. */
function within(cuts: readonly IndexRange[], { start, end }: IndexRange): IndexRange[] {
	return cuts
		.map((cut) => ({
			start: Math.max(cut.start, start) - start,
			end: Math.min(cut.end, end) - start,
		}))
		.filter(isLong);
}
