/** The first entries by name, and how many more there are: `a, b, c and 7 more`. */
export function listed(entries: readonly string[], namedAtMost: number): string {
	const named = entries.slice(0, namedAtMost).join(', ');
	const more = entries.length - namedAtMost;
	return more > 0 ? `${named} and ${more} more` : named;
}
