/** How many words are wrong, missing or too many: the edit distance of two lists of words. */
export function wordErrors(said: readonly string[], heard: readonly string[]): number {
	let row = Array.from({ length: heard.length + 1 }, (_, count) => count);
	for (const [index, word] of said.entries()) {
		const next = [index + 1];
		for (const [place, other] of heard.entries()) {
			const swapped = row[place] + Number(word !== other);
			next.push(Math.min(swapped, row[place + 1] + 1, next[place] + 1));
		}
		row = next;
	}
	return row[heard.length];
}
