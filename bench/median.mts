/** The middle value; of an even number of values, the upper of the two. */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.at(Math.floor(sorted.length / 2));
	if (middle === undefined) throw new Error('There is no middle of nothing');
	return middle;
}
