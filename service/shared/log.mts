/** Writes one line for people to read. */
export type Log = (line: string) => void;

/** A URL inside a text. It always matches where it is tried, so that a long one takes linear time. */
const URL_PATTERN = /https?:\/\/[^\s"'<>]*/gi;

/** Where the part with signatures and tokens begins. */
const QUERY_OR_FRAGMENT = /[?#]/;

/** User name and password inside a URL. */
const URL_CREDENTIALS_PATTERN = /(https?:\/\/)[^\s/?#@]+@/gi;

/** Removes query strings, user names and passwords from the URLs in a text. */
export function withoutUrlSecrets(text: string): string {
	return text
		.replace(URL_CREDENTIALS_PATTERN, '$1')
		.replace(URL_PATTERN, (url) => url.split(QUERY_OR_FRAGMENT, 1)[0]);
}

/**
 * Returns an http(s) URL without query, fragment, user name and password. Safer for a single URL than
 * `withoutUrlSecrets`: blanks and quotes, which clients do send, cannot end the match too early.
 */
export function urlWithoutSecrets(url: string): string {
	const { origin, pathname } = new URL(url);
	return origin + pathname;
}

/** Returns the protocol, host and port of a server's URL, which are safe to log: it may contain a password. */
export function serverAddress(url: string): string {
	const { protocol, host } = new URL(url);
	return `${protocol}//${host}`;
}

/** Creates a log on standard error, with UTC times; standard output is for `--json-ready`. */
export function createLog(): Log {
	return (line) => {
		const time = new Date().toISOString().slice(0, 19);
		process.stderr.write(`${time}Z ${withoutUrlSecrets(line)}\n`);
	};
}
