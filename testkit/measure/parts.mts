import { type Bar, printBars } from './bars.mts';

/** What a command measures, by the names that people may give it. */
export type Parts = Readonly<Record<string, () => Promise<Bar[]>>>;

/**
 * Measures the parts that are named, or all of them, one after another, and prints their bars at the end.
 *
 * @throws Error for a name that is none
 */
export async function measureParts(parts: Parts, named: readonly string[]): Promise<void> {
	const unknown = named.filter((name) => !Object.hasOwn(parts, name));
	if (unknown.length > 0) throw new Error(`The parts are ${Object.keys(parts).join(', ')}`);
	const bars: Bar[] = [];
	for (const name of named.length > 0 ? named : Object.keys(parts)) {
		bars.push(...(await parts[name]()));
		console.log('');
	}
	printBars(bars);
}
