/** The median; for an even number of values, the upper middle one. */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.at(Math.floor(sorted.length / 2));
	if (middle === undefined) throw new Error('The median needs at least one value');
	return middle;
}

/** The mean; 0 of none. */
export function mean(values: ArrayLike<number>): number {
	let sum = 0;
	for (let index = 0; index < values.length; index++) sum += values[index];
	return sum / Math.max(1, values.length);
}
