import type { Entries } from './nodeMemory';

/*
 * States in n8n's memory that a crash does not change. A state is none, the first or the second, and has the
 * entry of its number. Asking records both, and a crash before the wrong ones are removed again leaves both:
 * the copy is spoiled. There are two copies, and the second is asked about only if the first is spoiled.
 *
 * A change records the new number, then removes the old one; a crash in between leaves both in both copies.
 */

const COPIES = ['a', 'b'] as const;
const NUMBERS = [1, 2] as const;

/** The number of a state. */
export type Numbered = (typeof NUMBERS)[number];

/** Which numbers a state has: both after a crash during its change, and after two crashes in a row. */
export interface State {
	readonly isFirst: boolean;
	readonly isSecond: boolean;
}

/** Reads states, in the order of their names. */
export async function readStates(entries: Entries, names: readonly string[]): Promise<State[]> {
	const [one, other] = COPIES;
	const states = await readCopy(entries, names, one);
	const spoiled = names.filter((_name, index) => isSpoiled(states[index]));
	if (spoiled.length === 0) return states;
	const kept = await readCopy(entries, spoiled, other);
	await entries.remove(spoiled.map((name, index) => missingIn(kept[index], name, one)));
	return states.map((state, index) =>
		isSpoiled(state) ? kept[spoiled.indexOf(names[index])] : state,
	);
}

/** The entries of a state with a number; recorded in one write, they are whole. */
export function entriesOfState(name: string, number: Numbered): string[] {
	return COPIES.map((copy) => entryOf(name, copy, number));
}

async function readCopy(
	entries: Entries,
	names: readonly string[],
	copy: string,
): Promise<State[]> {
	const known = await entries.ask(names.map((name) => missingIn(undefined, name, copy)));
	return names.map((name) => ({
		isFirst: known.has(entryOf(name, copy, 1)),
		isSecond: known.has(entryOf(name, copy, 2)),
	}));
}

/** The entries of a copy that a state does not have. */
function missingIn(state: State | undefined, name: string, copy: string): string[] {
	const missing = NUMBERS.filter((number) => !(number === 1 ? state?.isFirst : state?.isSecond));
	return missing.map((number) => entryOf(name, copy, number));
}

function isSpoiled({ isFirst, isSecond }: State): boolean {
	return isFirst && isSecond;
}

function entryOf(name: string, copy: string, number: Numbered): string {
	return `${name}/${copy}/${number}`;
}
