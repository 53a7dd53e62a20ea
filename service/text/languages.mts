/** Languages whose fillers we know (api.md#languages), by recognisers' names. */
const CODES: Readonly<Partial<Record<string, string>>> = {
	english: 'en',
	german: 'de',
	romanian: 'ro',
	french: 'fr',
	dutch: 'nl',
	bulgarian: 'bg',
	arabic: 'ar',
	turkish: 'tr',
	polish: 'pl',
	italian: 'it',
	spanish: 'es',
	portuguese: 'pt',
};

/**
 * Returns the ISO 639-1 code for a recogniser's language, given as an English name ("german") or a
 * code ("de", "tr-TR"); undefined for any other name.
 */
export function languageCodeOf(name: string): string | undefined {
	const text = name.trim().toLowerCase();
	return CODES[text] ?? /^([a-z]{2})(?:[-_][a-z0-9]+)*$/.exec(text)?.[1];
}
