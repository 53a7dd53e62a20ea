import { removedFrom } from './times.mts';
import type { Cut, Review } from './wire.mts';

/** How much is heard before and after a cut, and how much the service sends at once. Seconds. */
const AROUND_SECONDS = 2;
const MAX_SECONDS = 60;

/** What is heard: a range of the uncut sound, without the cuts. In samples. */
export interface Passage {
	readonly from: number;
	readonly to: number;
	readonly cuts: ReadonlyArray<Pick<Cut, 'start' | 'end'>>;
}

/** Returns what is around a cut, as it was or as it will be with these cuts. */
export function passageAround(
	cut: Cut,
	{ mode, samples, sample_rate: rate }: Pick<Review, 'mode' | 'samples' | 'sample_rate'>,
	cuts: readonly Cut[] = [],
): Passage {
	const removed = removedFrom(cuts);
	// Nobody hears a removed cut, so it does not count as sent.
	const unplayedSamples = mode === 'cut' && removed.includes(cut) ? cut.end - cut.start : 0;
	const from = Math.max(0, cut.start - AROUND_SECONDS * rate);
	const longest = from + MAX_SECONDS * rate + unplayedSamples;
	const to = Math.min(samples, cut.end + AROUND_SECONDS * rate, longest);
	return passage(from, to, removed);
}

function passage(from: number, to: number, removed: readonly Cut[]): Passage {
	const within = removed.filter(({ start, end }) => start < to && end > from);
	return { from, to, cuts: within.map(({ start, end }) => ({ start, end })) };
}

/** Returns all that is left from a place on, in parts that the service sends at once. */
export function passagesFrom(
	place: number,
	{ samples, sample_rate: rate }: Pick<Review, 'samples' | 'sample_rate'>,
	cuts: readonly Cut[],
): Passage[] {
	const step = MAX_SECONDS * rate;
	const removed = removedFrom(cuts);
	const count = Math.ceil((samples - place) / step);
	const starts = Array.from({ length: count }, (_, index) => Math.round(place) + index * step);
	const parts = starts.map((from) => passage(from, Math.min(samples, from + step), removed));
	// A player refuses a sound without a sample.
	return parts.filter(({ from, to }) => !removed.some((cut) => cut.start <= from && to <= cut.end));
}

/** Returns the sound of a cut. */
export function passageOf({ start, end }: Cut, rate: number): Passage {
	return { from: start, to: Math.min(end, start + MAX_SECONDS * rate), cuts: [] };
}

/** Returns where in the uncut sound a place of a heard passage is, in samples. */
export function uncutPlace(playedSamples: number, { from, cuts }: Passage): number {
	return cuts.reduce((place, cut) => {
		const start = Math.max(from, cut.start);
		return place >= start ? place + cut.end - start : place;
	}, from + playedSamples);
}
