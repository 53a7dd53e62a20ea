import { countPassing } from '../../api/search';
import { usableSeconds } from '../values';

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

/** Where an entry certainly begins, and where it ends if that is known. */
interface Anchor {
	readonly startMs: number;
	readonly endMs?: number;
}

/** How long a character takes to say where nothing better is known: about 15 a second. */
const CHARACTER_MS = 66;

/** How many of the entries have a usable start. */
export function timedCount(entries: readonly MaybeTimed[]): number {
	return startsOf(entries).filter((start) => start !== undefined).length;
}

/**
 * Gives every entry a start and an end. The entries are in the order in which they were said. A time that
 * breaks this order is replaced like a missing one: estimated between its neighbors, by the length of
 * the text. Only a list that is mostly out of order is sorted by its times first.
 *
 * @returns the entries with starts that never fall; none where no entry has a usable time
 */
export function repairTimestamps<T extends MaybeTimed>(entries: readonly T[]): Array<T & Timed> {
	const ordered = inOrder(entries);
	const anchors = trustedAnchors(ordered);
	if (anchors.every((anchor) => anchor === undefined)) return [];
	const filled: Array<T & Timed> = [];
	for (let index = 0; index < ordered.length; index++) {
		const anchor = anchors[index];
		let next = index + 1;
		while (next < anchors.length && anchors[next] === undefined) next++;
		const limitMs = anchors[next]?.startMs ?? Infinity;
		if (anchor === undefined) {
			// Not spread into push(): a call takes only some 100,000 arguments.
			const gap = fillGap(ordered.slice(index, next), filled.at(-1)?.endMs, limitMs);
			for (const entry of gap) filled.push(entry);
			index = next - 1;
		} else {
			const guessMs = Math.min(anchor.startMs + speakingMs([ordered[index]]), limitMs);
			filled.push({ ...ordered[index], ...anchor, endMs: anchor.endMs ?? guessMs });
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
	return CHARACTER_MS * charactersOf(entries);
}

function charactersOf(entries: ReadonlyArray<{ readonly text: string }>): number {
	return entries.reduce((sum, { text }) => sum + text.length + 1, 0);
}

/** Spreads entries over a stretch of time by the lengths of their texts. */
export function spread<T extends { readonly text: string }>(
	entries: readonly T[],
	fromMs: number,
	toMs: number,
): Array<T & Timed> {
	const characters = charactersOf(entries);
	const lengthMs = Math.max(0, toMs - fromMs);
	let done = 0;
	const nowMs = () => Math.round(fromMs + (lengthMs * done) / characters);
	return entries.map((entry) => {
		const startMs = nowMs();
		done += entry.text.length + 1;
		return { ...entry, startMs, endMs: nowMs() };
	});
}

function startsOf(entries: readonly MaybeTimed[]): Array<number | undefined> {
	return entries.map(({ start }) => usableSeconds(start));
}

/** The list as it is, or sorted by its times where less than half of them agree with its order. */
function inOrder<T extends MaybeTimed>(entries: readonly T[]): readonly T[] {
	const starts = startsOf(entries);
	const isMostlyInOrder = longestRise(starts).size * 2 >= entries.length;
	if (isMostlyInOrder || starts.includes(undefined)) return entries;
	return [...entries].sort((one, other) => (one.start ?? 0) - (other.start ?? 0));
}

function trustedAnchors(entries: readonly MaybeTimed[]): Array<Anchor | undefined> {
	const starts = startsOf(entries);
	const trusted = longestRise(starts);
	return starts.map((start, index) => {
		if (start === undefined || !trusted.has(index)) return undefined;
		const end = usableSeconds(entries[index].end);
		const endMs = end === undefined || end < start ? undefined : Math.round(end * 1_000);
		return { startMs: Math.round(start * 1_000), endMs };
	});
}

/** The indexes of the longest run of values that never fall, missing ones left out. */
function longestRise(values: ReadonlyArray<number | undefined>): Set<number> {
	/** For each length, the index of the smallest value that ends a rise of that length. */
	const tails: number[] = [];
	const before: number[] = [];
	values.forEach((value, index) => {
		if (value === undefined) return;
		const length = countPassing(tails.length, (at) => (values[tails[at]] ?? 0) <= value);
		before[index] = tails[length - 1] ?? -1;
		tails[length] = index;
	});
	const indexes = new Set<number>();
	for (let index = tails.at(-1) ?? -1; index >= 0; index = before[index]) indexes.add(index);
	return indexes;
}
