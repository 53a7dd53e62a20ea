/** The languages whose fillers are known (spec "What the service does"), as recognisers name them. */
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
 * The ISO 639-1 code of a language that a recogniser names in English ("german") or by a code ("de",
 * "tr-TR"); undefined for a name that is not among the twelve.
 */
export function languageCodeOf(name: string): string | undefined {
	const text = name.trim().toLowerCase();
	return CODES[text] ?? /^([a-z]{2})(?:[-_][a-z0-9]+)*$/.exec(text)?.[1];
}
