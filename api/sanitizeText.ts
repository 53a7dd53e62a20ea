export const MAX_SHOWN_CHARACTERS = 500;

const MAX_ID_LENGTH = 200;

/** Each link in a text. */
const URL_IN_TEXT = /\b[a-z][a-z\d+.-]{1,9}:\/\/[^\s"'<>]+/gi;

/** The query of a link without its host, as in `/up/a.wav?sig=…`. */
const QUERY_IN_TEXT = /(?<=[^\s"'<>])\?[^\s"'<>]+/g;

/** Whether a body is a web page. */
export function isWebPage(text: string): boolean {
	return /^\s*(<!doctype html|<html|<head|<body)/i.test(text);
}

/** A URL without user name, password, query and fragment. Any part of a query may be a signature. */
export function withoutSecrets(url: string): string {
	// A password may contain # and ?.
	if (!URL.canParse(url)) return url.slice(url.lastIndexOf('@') + 1).split(/[?#]/)[0];
	const parsed = new URL(url);
	const { username, password, search, hash } = parsed;
	if (username + password + search + hash === '') return url;
	return Object.assign(parsed, { username: '', password: '', search: '', hash: '' }).href;
}

/** Text with its links without secrets. */
export function withoutQueries(text: string): string {
	return text.replace(URL_IN_TEXT, withoutSecrets).replace(QUERY_IN_TEXT, '');
}

/** Text from outside, safe to show: no control characters, no signed queries, at most 500 characters. */
export function sanitizeText(text: string): string {
	const clean = withoutQueries(text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim());
	return clean.length > MAX_SHOWN_CHARACTERS ? `${clean.slice(0, MAX_SHOWN_CHARACTERS)}…` : clean;
}

/** An ID as a path segment, or why it cannot be used. */
type PathId =
	| { readonly ok: true; readonly segment: string }
	| { readonly ok: false; readonly reason: string };

/**
 * Encodes an ID as a path segment. Refuses an empty ID and one that contains a path: they would turn
 * "delete this edit" into a request for another resource.
 */
export function pathId(id: unknown): PathId {
	const isMissing = id === undefined || id === null;
	if (!isMissing && typeof id !== 'number' && typeof id !== 'string') {
		return { ok: false, reason: 'is not a text' };
	}
	const text = isMissing ? '' : String(id).trim();
	if (text === '' || text === 'undefined' || text === 'null') {
		return { ok: false, reason: 'is empty' };
	}
	if (text.length > MAX_ID_LENGTH) return { ok: false, reason: 'is too long to be an ID' };
	if (/[\s/\\?#%\p{Cc}\p{Cs}]/u.test(text) || /^\.+$/.test(text)) {
		return { ok: false, reason: 'contains characters that no ID has, such as slashes or spaces' };
	}
	return { ok: true, segment: encodeURIComponent(text) };
}
