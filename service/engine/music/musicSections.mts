import { energyDb, nthSmallest } from '../signal/levels.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';
import { type HeardMusic, STEP_SECONDS } from './heardMusic.mts';
import { joined } from './joined.mts';

/**
 * Music is where this is likely, as the sum of two logits: of music in the recording, and of music in what the noise
 * reduction takes away, which holds what is hidden under a voice. It lasts until the sum falls below the second.
 */
const MUSIC_BEGINS = -1;
const MUSIC_LASTS = -2.5;

/** The longest silence within music, the shortest music, and what is kept on both sides, s. */
const MAX_GAP_SECONDS = 6;
const MIN_MUSIC_SECONDS = 1.4;
const MARGIN_SECONDS = 0.5;

/** Two pieces with less between them stay together: fades take as long, s. */
const JOIN_SECONDS = 0.5;

/** Music goes on while what is taken away stays within this of its usual level in it, dB; but no further than this. */
const STEADY_DB = 6;
const MAX_WIDENED_STEPS = 2;

/** Where music plays, or people sing, in order. */
export function musicIn(heard: HeardMusic): TimeRange[] {
	const { music, musicTaken } = heard;
	const likely = music.map((logit, step) => logit + musicTaken[step]);
	const runs = joined(runsWhere(likely, MUSIC_BEGINS, MUSIC_LASTS), MAX_GAP_SECONDS);
	const long = runs.filter((run) => run.endSeconds - run.startSeconds >= MIN_MUSIC_SECONDS);
	const wide = long.map((run) => padded(widened(run, heard.taken)));
	return joined(wide, JOIN_SECONDS);
}

/** Stretches that reach one value, as far as the next steps reach the other. */
export function runsWhere(values: Float32Array, begins: number, lasts: number): TimeRange[] {
	const runs: TimeRange[] = [];
	for (let step = 0; step < values.length; step++) {
		if (values[step] <= begins) continue;
		let [first, end] = [step, step + 1];
		while (first > 0 && values[first - 1] > lasts) first--;
		while (end < values.length && values[end] > lasts) end++;
		runs.push({ startSeconds: first * STEP_SECONDS, endSeconds: end * STEP_SECONDS });
		step = end;
	}
	return runs;
}

/** The same with the steps before it and after it in which as much is taken away: the network hears its ends late. */
function widened({ startSeconds, endSeconds }: TimeRange, taken: Float32Array): TimeRange {
	const [from, to] = [startSeconds, endSeconds].map((it) => Math.round(it / STEP_SECONDS));
	let [first, end] = [from, to];
	const levels = taken.slice(first, end).map(energyDb);
	const usualDb = nthSmallest(levels, levels.length >> 1) ?? 0;
	const isSteady = (step: number) =>
		taken[step] > 0 && Math.abs(energyDb(taken[step]) - usualDb) <= STEADY_DB;
	while (first > Math.max(0, from - MAX_WIDENED_STEPS) && isSteady(first - 1)) first--;
	while (end < Math.min(taken.length, to + MAX_WIDENED_STEPS) && isSteady(end)) end++;
	return { startSeconds: first * STEP_SECONDS, endSeconds: end * STEP_SECONDS };
}

function padded({ startSeconds, endSeconds }: TimeRange): TimeRange {
	return {
		startSeconds: Math.max(0, startSeconds - MARGIN_SECONDS),
		endSeconds: endSeconds + MARGIN_SECONDS,
	};
}
