/** The median; for an even number of values, the upper middle one. */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.at(Math.floor(sorted.length / 2));
	if (middle === undefined) throw new Error('The median needs at least one value');
	return middle;
}
