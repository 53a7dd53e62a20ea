/** Text from outside that is about to be shown: made harmless and short. */

const SHOWN_CHARACTERS_MAXIMUM = 500;

/** Query keys under which signatures and keys travel in URLs of storage providers. */
const SECRET_QUERY_KEY = /sig|token|key|credential|expires|policy|secret|auth|password/i;

const URL_IN_TEXT = /\bhttps?:\/\/[^\s"'<>]+/gi;

/** Whether a body is a web page instead of JSON. */
export function isWebPage(text: string): boolean {
	return /^\s*(<!doctype html|<html|<head|<body)/i.test(text);
}

/**
 * A URL as it may be shown: without user name, password and fragment, and without its query where
 * the query looks signed. Text that is not a URL comes back unchanged.
 */
export function withoutSecrets(url: string): string {
	let parsed: URL;
	try {
		parsed = new URL(url);
	} catch {
		return url;
	}
	const isSigned = [...parsed.searchParams.keys()].some((key) => SECRET_QUERY_KEY.test(key));
	if (!isSigned && !parsed.username && !parsed.password) return url;
	parsed.username = '';
	parsed.password = '';
	parsed.hash = '';
	if (isSigned) parsed.search = '';
	return parsed.toString();
}

/** Server text as it may be shown: no control characters, no signed queries, at most 500 characters. */
export function shownText(text: string): string {
	const clean = text
		.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
		.replace(/\s+/g, ' ')
		.trim()
		.replace(URL_IN_TEXT, withoutSecrets);
	return clean.length > SHOWN_CHARACTERS_MAXIMUM
		? `${clean.slice(0, SHOWN_CHARACTERS_MAXIMUM)}…`
		: clean;
}
