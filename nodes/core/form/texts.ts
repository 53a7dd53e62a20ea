/** Edits or files that a text names. The rest is in the error's details and in the log. */
export const NAMED_AT_MOST = 3;

/** The first entries and how many more there are: `a, b, c and 7 more`. */
export function listed(entries: readonly string[], namedAtMost: number): string {
	const named = entries.slice(0, namedAtMost).join(', ');
	const more = entries.length - namedAtMost;
	return more > 0 ? `${named} and ${more} more` : named;
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

/** A reason after a colon: `: no audio`; empty without one. */
export function because(reason: string | undefined): string {
	return reason ? `: ${reason}` : '';
}

/** A text or number as text; empty for anything else. */
export function readText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/**
 * The value of a switch; undefined for what is none. Sheets and forms write it as text in any case, databases
 * as 1 and 0.
 */
export function switchOf(value: unknown): boolean | undefined {
	const isKnown = ['boolean', 'number', 'string'].includes(typeof value);
	const text = isKnown ? String(value).trim().toLowerCase() : '';
	if (text === 'true' || text === '1') return true;
	return text === 'false' || text === '0' ? false : undefined;
}

/** Whether a switch with a checked value is on. */
export function isOn(value: unknown): boolean {
	return switchOf(value) === true;
}

/** The values of a list of which a person may choose several: an expression may return them with commas. */
export function severalOf(value: unknown): readonly unknown[] {
	if (Array.isArray(value)) return value as readonly unknown[];
	if (typeof value !== 'string') return [value];
	const named = value.split(',').map((one) => one.trim());
	return named.some(Boolean) ? named.filter(Boolean) : [value];
}
