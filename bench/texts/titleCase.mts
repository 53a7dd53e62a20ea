/** n8n's Title Case for labels: https://docs.n8n.io/integrations/creating-nodes/plan/node-ui-design/ */

/** Articles, conjunctions and prepositions of up to three letters, lower unless first or last. */
const LOWER = new Set(
	'a an and as at but by for if in nor of off on or out per so the to up via vs yet'.split(' '),
);

/** Longer prepositions, which may be either. */
const EITHER = new Set('from into over with'.split(' '));

/** Adverbs and parts of verbs that are not prepositions there, such as Hand Over or Time Is Up. */
const ADVERBS = new Set(['Off', 'On', 'Out', 'Over', 'So', 'Up']);

/** Names that are written like this, and units. */
const NAMES = new Set('n8n dB kbit/s s ms e.g. iTunes'.split(' '));

function isRight(word: string, isEdge: boolean): boolean {
	if (NAMES.has(word) || !/^\p{L}/u.test(word) || EITHER.has(word.toLowerCase())) return true;
	const isLower = /^\p{Ll}/u.test(word);
	if (isEdge) return !isLower;
	if (ADVERBS.has(word)) return true;
	return isLower === LOWER.has(word.toLowerCase());
}

/** Returns the words of a label that are not in Title Case. */
export function wordsNotInTitleCase(label: string): string[] {
	const parts = label
		.split(/[:(]/)
		.map((part) => part.replace(/[^\p{L}\p{N}\s/.'-]/gu, ' ').trim());
	return parts.flatMap((part) => {
		const words = part.split(/\s+/).filter((word) => word !== '');
		return words.filter((word, index) => !isRight(word, index === 0 || index === words.length - 1));
	});
}
