/**
 * Returns the number of entries that pass a test. All of them come before the first that fails.
 *
 * @param count the number of entries
 * @param passes tests the entry at an index; called about log2(count) times
 */
export function countPassing(count: number, passes: (index: number) => boolean): number {
	let low = 0;
	let high = count;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (passes(middle)) low = middle + 1;
		else high = middle;
	}
	return low;
}
