import { inPieces } from './pauses';

/** Shorter values of a query also occur in ordinary text. */
const MIN_SECRET_CHARACTERS = 6;

/** Replaces a secret. */
export const HIDDEN = '(hidden)';

/** Levels searched in a JSON value. The service sends under ten; thousands overflow the stack. */
const MAX_DEPTH = 100;

/** Replaces secrets in text from a server before it is shown. Hide first, then shorten. */
export interface Hider {
	text(text: string): string;
	/**
	 * The same for every text and key in a JSON value; hides values nested deeper than 100 levels. Copies
	 * only where there is something to hide: a value can have megabytes.
	 */
	value(value: unknown): unknown;
	/** The same, with pauses in long lists. */
	valueInPieces(value: unknown): Promise<unknown>;
}

/** Longer lists are searched in pieces. */
const MAX_SEARCHED_AT_ONCE = 1_000;

/** A list and how deep it is in a value. */
interface LongList {
	readonly entries: readonly unknown[];
	readonly depth: number;
}

/**
 * Returns a hider of these secrets, in every spelling in which a server may quote them. Making the
 * spellings takes time, and most responses quote nothing, so they are made at the first use.
 */
export function hiderOf(secrets: readonly string[]): Hider {
	let spellings: readonly string[] | undefined;
	const text = (shown: string) => {
		spellings ??= allSpellingsOf(secrets);
		return spellings.reduce((cleaned, secret) => cleaned.replaceAll(secret, HIDDEN), shown);
	};
	const isIn = (shown: unknown, depth: number, longLists?: LongList[]): boolean => {
		if (typeof shown === 'string') {
			spellings ??= allSpellingsOf(secrets);
			return spellings.some((secret) => shown.includes(secret));
		}
		if (typeof shown !== 'object' || shown === null) return false;
		if (depth > MAX_DEPTH) return true;
		const isBelow = (entry: unknown) => isIn(entry, depth + 1, longLists);
		if (!Array.isArray(shown)) {
			return Object.entries(shown).some(([key, entry]) => isBelow(key) || isBelow(entry));
		}
		if (!longLists || shown.length <= MAX_SEARCHED_AT_ONCE) return shown.some(isBelow);
		longLists.push({ entries: shown, depth });
		return false;
	};
	const value = (shown: unknown) => (isIn(shown, 1) ? mapTexts(shown, text) : shown);
	const valueInPieces = async (shown: unknown) => {
		const longLists: LongList[] = [];
		let isFound = isIn(shown, 1, longLists);
		// A list may have more of them inside.
		for (const { entries, depth } of longLists) {
			const search = (index: number) => {
				isFound ||= isIn(entries[index], depth + 1, longLists);
			};
			if (!isFound) await inPieces(entries.length, search);
		}
		return isFound ? mapTexts(shown, text) : shown;
	};
	return { text, value, valueInPieces };
}

/** A copy of a JSON value with each text and key changed; hides what is nested deeper than 100 levels. */
export function mapTexts(value: unknown, change: (text: string) => string, depth = 1): unknown {
	if (typeof value === 'string') return change(value);
	if (typeof value !== 'object' || value === null) return value;
	if (depth > MAX_DEPTH) return HIDDEN;
	if (Array.isArray(value)) return value.map((entry) => mapTexts(entry, change, depth + 1));
	return Object.fromEntries(
		Object.entries(value).map(([key, entry]) => [change(key), mapTexts(entry, change, depth + 1)]),
	);
}

/**
 * Returns a hider of the API key for the service's responses, which may echo request headers. It hides
 * nothing for a key under 16 characters, or with neither a digit nor a capital after a small letter: that
 * may be a word or part of a host name.
 */
export function keyHider(apiKey: string): Hider {
	return apiKey.length >= 16 && /\d|[a-z][A-Z]/.test(apiKey) ? hiderOf([apiKey]) : HIDES_NOTHING;
}

export const HIDES_NOTHING = hiderOf([]);

/** The values of a link's query and its password, encoded and decoded. Each may be a signature. */
export function secretsInLink(url: string): string[] {
	const query = /\?([^#]*)/.exec(url)?.[1] ?? '';
	const [, password = ''] = /^\s*https?:\/\/[^/@:?#]*:([^/@?#]*)@/i.exec(url) ?? [];
	return [...query.split(/[&;]/), password]
		.map((pair) => pair.slice(pair.indexOf('=') + 1))
		.flatMap((raw) => [raw, decoded(raw), decoded(raw.replaceAll('+', ' '))])
		.filter((secret) => secret.length >= MIN_SECRET_CHARACTERS);
}

/** The same for every link in a JSON value. */
export function secretsInLinksOf(value: unknown): string[] {
	if (typeof value === 'string') return /^\s*https?:/i.test(value) ? secretsInLink(value) : [];
	return Object.values(value ?? {}).flatMap(secretsInLinksOf);
}

/** The longest first: one secret may contain another. */
function allSpellingsOf(secrets: readonly string[]): string[] {
	const all = new Set(secrets.filter(Boolean).flatMap(spellingsOf));
	return [...all].sort((a, b) => b.length - a.length);
}

/** A secret as it is, JSON-escaped, and percent-encoded in upper and lower case. */
function spellingsOf(secret: string): string[] {
	// Lone surrogates cannot be percent-encoded.
	const encoded = /\p{Cs}/u.test(secret) ? secret : encodeURIComponent(secret);
	const lowered = (text: string) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
	return [secret, JSON.stringify(secret).slice(1, -1), encoded, lowered(encoded), lowered(secret)];
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
