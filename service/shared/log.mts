/** Writes one line for people to read. */
export type Log = (line: string) => void;

/** A query string of a URL inside a text; signatures and tokens live there. */
const URL_QUERY_PATTERN = /(https?:\/\/[^\s?#"'<>]+)[?#][^\s"'<>]*/gi;

/** User name and password inside a URL. */
const URL_CREDENTIALS_PATTERN = /(https?:\/\/)[^\s/?#@]+@/gi;

/** The text without what makes a URL in it secret: query string, user name and password. */
export function withoutUrlSecrets(text: string): string {
	return text.replace(URL_CREDENTIALS_PATTERN, '$1').replace(URL_QUERY_PATTERN, '$1');
}

/**
 * An http(s) URL without query, fragment, user name and password. For a URL on its own: where it
 * ends is known, so that blanks and quotes in it (clients send them) cannot hide the rest.
 */
export function urlWithoutSecrets(url: string): string {
	const { origin, pathname } = new URL(url);
	return origin + pathname;
}

/** A log on standard error, so that standard output stays free for `--json-ready`. */
export function createLog(): Log {
	return (line) => {
		const time = new Date().toISOString().slice(11, 19);
		process.stderr.write(`${time} ${withoutUrlSecrets(line)}\n`);
	};
}
