/** Secrets that a server may quote back at us: the key, and the signatures of links. */

/** Shorter values of a query are found in ordinary text, too. */
const SECRET_CHARACTERS_MINIMUM = 6;

/** Stands in place of a secret. */
export const HIDDEN = '(hidden)';

/** Levels of a JSON value that are searched. The interface has under ten; thousands overflow the stack. */
const DEPTH_MAXIMUM = 100;

/** Takes secrets out of what is about to be shown. It has to come before any cutting. */
export interface Hider {
	text(text: string): string;
	/** The same for every text within a JSON value, its keys included; values nested too deeply are hidden. */
	value(value: unknown): unknown;
}

/** Hides these secrets, in each spelling in which they may be quoted. */
export function hiderOf(secrets: readonly string[]): Hider {
	const all = [...new Set(secrets.filter(Boolean).flatMap(spellingsOf))];
	// A secret may stand within another one.
	all.sort((a, b) => b.length - a.length);
	const text = (shown: string) =>
		all.reduce((cleaned, secret) => cleaned.replaceAll(secret, HIDDEN), shown);
	const valueAt = (shown: unknown, depth: number): unknown => {
		if (typeof shown === 'string') return text(shown);
		if (typeof shown !== 'object' || shown === null) return shown;
		if (depth > DEPTH_MAXIMUM) return HIDDEN;
		if (Array.isArray(shown)) return shown.map((entry) => valueAt(entry, depth + 1));
		return Object.fromEntries(
			Object.entries(shown).map(([key, entry]) => [text(key), valueAt(entry, depth + 1)]),
		);
	};
	return { text, value: (shown) => valueAt(shown, 1) };
}

/**
 * Hides the API key in the service's answers, which may echo the request's headers. Hides nothing for a
 * key under 16 characters or without a digit: it may be a word of a transcript, or a part of a host name.
 */
export function keyHider(apiKey: string): Hider {
	return apiKey.length >= 16 && /\d/.test(apiKey) ? hiderOf([apiKey]) : HIDES_NOTHING;
}

/** Hides nothing. */
export const HIDES_NOTHING = hiderOf([]);

/** The values of a link's query, each of which may be a signature: as they stand there, and decoded. */
export function secretsInLink(url: string): string[] {
	const query = /\?([^#]*)/.exec(url)?.[1] ?? '';
	const [, password = ''] = /^\s*https?:\/\/[^/@:?#]*:([^/@?#]*)@/i.exec(url) ?? [];
	return [...query.split(/[&;]/), password]
		.map((pair) => pair.slice(pair.indexOf('=') + 1))
		.flatMap((raw) => [raw, decoded(raw), decoded(raw.replaceAll('+', ' '))])
		.filter((secret) => secret.length >= SECRET_CHARACTERS_MINIMUM);
}

/** The same for every link within a JSON value. */
export function secretsInLinksOf(value: unknown): string[] {
	if (typeof value === 'string') return /^\s*https?:/i.test(value) ? secretsInLink(value) : [];
	return Object.values(value ?? {}).flatMap(secretsInLinksOf);
}

/** As it is, as JSON writes it, and percent-encoded with capitals or without. */
function spellingsOf(secret: string): string[] {
	// What UTF-8 cannot say has no percent-encoding.
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
