/** A pair of places in two lists of words; undefined where one of them has nothing there. */
export type WordPair = readonly [said: number | undefined, recognized: number | undefined];

/** Pairs two lists of words with the fewest words wrong, missing or too many. */
export function alignedWords(said: readonly string[], recognized: readonly string[]): WordPair[] {
	const rows = [Array.from({ length: recognized.length + 1 }, (_, count) => count)];
	for (const [index, word] of said.entries()) {
		const row = [index + 1];
		for (const [place, other] of recognized.entries()) {
			const swapped = rows[index][place] + Number(word !== other);
			row.push(Math.min(swapped, rows[index][place + 1] + 1, row[place] + 1));
		}
		rows.push(row);
	}
	const pairs: WordPair[] = [];
	let [at, place] = [said.length, recognized.length];
	while (at > 0 || place > 0) {
		const errors = rows[at][place];
		const isSame = at > 0 && place > 0 && said[at - 1] === recognized[place - 1];
		if (at > 0 && place > 0 && rows[at - 1][place - 1] + Number(!isSame) === errors) {
			pairs.push([--at, --place]);
		} else if (at > 0 && rows[at - 1][place] + 1 === errors) {
			pairs.push([--at, undefined]);
		} else {
			pairs.push([undefined, --place]);
		}
	}
	return pairs.reverse();
}
