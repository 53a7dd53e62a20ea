const NAMES = new Intl.DisplayNames('en', { type: 'language' });

/** Languages whose fillers we know (api.md#languages), by recognizers' names. */
const CODES = new Map(
	['en', 'de', 'ro', 'fr', 'nl', 'bg', 'ar', 'tr', 'pl', 'it', 'es', 'pt'].map((code) => [
		NAMES.of(code)?.toLowerCase(),
		code,
	]),
);

/**
 * Returns the ISO 639-1 code for a recognizer's language, given as an English name ("german") or a
 * code ("de", "tr-TR"); undefined for any other name.
 */
export function languageCodeOf(name: string): string | undefined {
	const text = name.trim().toLowerCase();
	return CODES.get(text) ?? /^([a-z]{2})(?:[-_][a-z0-9]+)*$/.exec(text)?.[1];
}
