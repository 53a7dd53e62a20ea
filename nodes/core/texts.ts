/** Edits or files that a text names. The rest is in the error's details and in the log. */
export const MAX_NAMED = 3;

/** The first entries and how many more there are: `a, b, c and 7 more`. */
export function listed(entries: readonly string[], maxNamed: number): string {
	const named = entries.slice(0, maxNamed).join(', ');
	const more = entries.length - maxNamed;
	return more > 0 ? `${named} and ${more} more` : named;
}

/** All entries: `a, b and c`. */
export function inWords(entries: readonly string[]): string {
	// Made here: the first one takes 11 ms, which n8n would spend whenever it loads the nodes.
	return new Intl.ListFormat('en-GB').format(entries);
}

/** Some logs cut lines over 8 KB. */
const NAMED_IN_A_LINE = 100;

/** All entries, as lines for a log. */
export function inLines(entries: readonly string[]): string[] {
	const lines: string[] = [];
	for (let from = 0; from < entries.length; from += NAMED_IN_A_LINE) {
		lines.push(entries.slice(from, from + NAMED_IN_A_LINE).join(', '));
	}
	return lines;
}

/** A text or number as text; empty for anything else. */
export function readText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
