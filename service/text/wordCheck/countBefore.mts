/** Returns how many entries of a sorted list come before something, in few steps however long the list is. */
export function countBefore<T>(sorted: readonly T[], isBefore: (entry: T) => boolean): number {
	let [from, to] = [0, sorted.length];
	while (from < to) {
		const middle = Math.floor((from + to) / 2);
		if (isBefore(sorted[middle])) from = middle + 1;
		else to = middle;
	}
	return from;
}
