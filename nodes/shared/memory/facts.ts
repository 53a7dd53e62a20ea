import type { Entries } from './nodeMemory';

/*
 * Facts in n8n's memory that a crash does not change. Asking for an entry records it, and a crash before it
 * is removed again leaves it there. A fact therefore has two entries and holds only while both are there;
 * the second is asked about only if the first is there.
 */

const first = (fact: string) => `${fact}/1`;
const second = (fact: string) => `${fact}/2`;

/** Returns which of the facts hold. */
export async function holdingFacts(
	entries: Entries,
	facts: readonly string[],
): Promise<ReadonlySet<string>> {
	const begun = await entries.ask(facts.map(first));
	const likely = facts.filter((fact) => begun.has(first(fact)));
	const whole = await entries.ask(likely.map(second));
	// A crash has left the first entry of these.
	const spoiled = likely.filter((fact) => !whole.has(second(fact)));
	await entries.remove(spoiled.map(first));
	return new Set(likely.filter((fact) => whole.has(second(fact))));
}

/** The entries of facts; recorded in one write, they hold. */
export function entriesOfFacts(facts: readonly string[]): string[] {
	return [...facts.map(first), ...facts.map(second)];
}

/** Lets facts hold no longer. */
export async function dropFacts(entries: Entries, facts: readonly string[]): Promise<void> {
	// What is left after a crash in between does not hold, and the next question removes it.
	await entries.remove([...facts.map(second), ...facts.map(first)]);
}
