/** Set by `npm test -- slow`, which also runs the cases that cost much media work and differ little. */
const IS_SLOW = process.env['ALL_CASES'] === 'true';

/** Returns the cases to run, of those that `npm test` runs and those that only `npm test -- slow` adds. */
export function casesOf<const T>(quick: readonly T[], slow: readonly T[]): readonly T[] {
	return IS_SLOW ? [...quick, ...slow] : quick;
}
