/** Text from outside that is about to be shown: made harmless and short. */

const SHOWN_CHARACTERS_MAXIMUM = 500;

const URL_IN_TEXT = /\bhttps?:\/\/[^\s"'<>]+/gi;

/** The query of a link that stands there without its host, as in `/up/a.wav?sig=…`. */
const QUERY_IN_TEXT = /(?<=[^\s"'<>])\?[^\s"'<>]+/g;

/** Whether a body is a web page instead of JSON. */
export function isWebPage(text: string): boolean {
	return /^\s*(<!doctype html|<html|<head|<body)/i.test(text);
}

/** Whether a body begins as JSON but is none: it was cut on the way, though nobody said so. */
export function isCutJson(text: string): boolean {
	if (!/^\s*[{[]/.test(text)) return false;
	try {
		JSON.parse(text);
		return false;
	} catch {
		return true;
	}
}

/**
 * A URL as it may be shown: without user name, password, query and fragment. Any query may be a
 * signature, whatever its keys are called.
 */
export function withoutSecrets(url: string): string {
	try {
		const parsed = new URL(url);
		parsed.username = '';
		parsed.password = '';
		parsed.search = '';
		parsed.hash = '';
		return parsed.toString();
	} catch {
		return url.split(/[?#]/)[0];
	}
}

/** Server text as it may be shown: no control characters, no signed queries, at most 500 characters. */
export function sanitizeText(text: string): string {
	const clean = text
		.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
		.replace(/\s+/g, ' ')
		.trim()
		.replace(URL_IN_TEXT, withoutSecrets)
		.replace(QUERY_IN_TEXT, '');
	return clean.length > SHOWN_CHARACTERS_MAXIMUM
		? `${clean.slice(0, SHOWN_CHARACTERS_MAXIMUM)}…`
		: clean;
}
