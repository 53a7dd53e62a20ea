import { usableSeconds } from './clock';

/** Something said, with times in seconds that may be missing or wrong. */
export interface MaybeTimed {
	readonly text: string;
	readonly start?: number;
	readonly end?: number;
}

/** Something said, in whole milliseconds from the start of the edited file. */
export interface Timed {
	readonly text: string;
	readonly startMs: number;
	readonly endMs: number;
}

/** How long a character takes to say where nothing better is known: about 15 a second. */
const CHARACTER_MS = 66;

/** Where an entry begins for sure, and where it ends if that is known. */
interface Anchor {
	readonly startMs: number;
	readonly endMs?: number;
}

/** How many of the entries have a start that can be used. */
export function timedCount(entries: readonly MaybeTimed[]): number {
	return entries.filter(({ start }) => usableSeconds(start) !== undefined).length;
}

/**
 * Gives every entry a start and an end. The order of the list is what was said; a time that breaks it
 * is not trusted, and is filled in like a missing one: between its neighbours, by the length of the
 * text. Only a list that is mostly out of order is put in the order of its times first.
 *
 * @returns the entries with starts that never fall; none where no entry has a usable time
 */
export function repairTimestamps<T extends MaybeTimed>(entries: readonly T[]): Array<T & Timed> {
	const ordered = inOrder(entries);
	const anchors = trustedAnchors(ordered);
	if (anchors.every((anchor) => anchor === undefined)) return [];
	const filled: Array<T & Timed> = [];
	for (let index = 0; index < ordered.length; index++) {
		const entry = ordered[index];
		const anchor = anchors[index];
		const nextAnchor = indexOfAnchor(anchors, index + 1);
		const limitMs = anchors[nextAnchor]?.startMs ?? Infinity;
		if (anchor === undefined) {
			const run = ordered.slice(index, nextAnchor);
			// Not spread into the call: a call takes only so many arguments, and a transcript has more words.
			for (const word of fillGap(run, filled.at(-1)?.endMs, limitMs)) filled.push(word);
			index = nextAnchor - 1;
		} else {
			const { startMs } = anchor;
			const guessMs = Math.min(startMs + speakingMs([entry]), limitMs);
			filled.push({ ...entry, startMs, endMs: anchor.endMs ?? guessMs });
		}
	}
	return filled;
}

/** Times for entries between a known end (none before the first known time) and a known start. */
function fillGap<T extends { readonly text: string }>(
	entries: readonly T[],
	fromMs: number | undefined,
	limitMs: number,
): Array<T & Timed> {
	const neededMs = speakingMs(entries);
	const startMs =
		fromMs === undefined ? Math.max(0, limitMs - neededMs) : Math.min(fromMs, limitMs);
	return spread(entries, startMs, limitMs === Infinity ? startMs + neededMs : limitMs);
}

function speakingMs(entries: ReadonlyArray<{ readonly text: string }>): number {
	return CHARACTER_MS * entries.reduce((sum, { text }) => sum + text.length + 1, 0);
}

/** Spreads entries over a stretch of time by the lengths of their texts. */
export function spread<T extends { readonly text: string }>(
	entries: readonly T[],
	fromMs: number,
	toMs: number,
): Array<T & Timed> {
	const total = entries.reduce((sum, { text }) => sum + text.length + 1, 0);
	const lengthMs = Math.max(0, toMs - fromMs);
	let done = 0;
	const at = (characters: number) => Math.round(fromMs + (lengthMs * characters) / total);
	return entries.map((entry) => {
		const startMs = at(done);
		done += entry.text.length + 1;
		return { ...entry, startMs, endMs: at(done) };
	});
}

function indexOfAnchor(anchors: ReadonlyArray<Anchor | undefined>, from: number): number {
	let index = from;
	while (index < anchors.length && anchors[index] === undefined) index++;
	return index;
}

/** The list as it is, or by its times where less than half of them agree with it. */
function inOrder<T extends MaybeTimed>(entries: readonly T[]): readonly T[] {
	const starts = entries.map(({ start }) => usableSeconds(start));
	const isAllTimed = starts.every((start) => start !== undefined);
	const isMostlyInOrder = longestRise(starts).size * 2 >= entries.length;
	if (!isAllTimed || isMostlyInOrder) return entries;
	return [...entries].sort((one, other) => (one.start ?? 0) - (other.start ?? 0));
}

function trustedAnchors(entries: readonly MaybeTimed[]): Array<Anchor | undefined> {
	const starts = entries.map(({ start }) => usableSeconds(start));
	const trusted = longestRise(starts);
	return starts.map((start, index) => {
		if (start === undefined || !trusted.has(index)) return undefined;
		const end = usableSeconds(entries[index].end);
		const startMs = Math.round(start * 1_000);
		const endMs = end === undefined || end < start ? undefined : Math.round(end * 1_000);
		return { startMs, endMs };
	});
}

/** The places of the longest run of values that never fall, missing ones left out. */
function longestRise(values: ReadonlyArray<number | undefined>): Set<number> {
	/** For each length, the place of the smallest value that ends a rise of that length. */
	const tails: number[] = [];
	const before: number[] = [];
	values.forEach((value, place) => {
		if (value === undefined) return;
		let low = 0;
		let high = tails.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((values[tails[middle]] ?? 0) <= value) low = middle + 1;
			else high = middle;
		}
		before[place] = low > 0 ? tails[low - 1] : -1;
		tails[low] = place;
	});
	const places = new Set<number>();
	for (let place = tails.at(-1) ?? -1; place >= 0; place = before[place]) places.add(place);
	return places;
}
