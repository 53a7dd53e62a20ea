/** How many words are wrong, missing or too many: the edit distance of two lists of words. */
export function wordErrors(said: readonly string[], recognized: readonly string[]): number {
	let row = Array.from({ length: recognized.length + 1 }, (_, count) => count);
	for (const [index, word] of said.entries()) {
		const next = [index + 1];
		for (const [place, other] of recognized.entries()) {
			const swapped = row[place] + Number(word !== other);
			next.push(Math.min(swapped, row[place + 1] + 1, next[place] + 1));
		}
		row = next;
	}
	return row[recognized.length];
}
