/** Single values of a result, checked or written out. */

/** A text on one line: control characters and runs of white space become one space. */
export function onOneLine(text: string): string {
	return text
		.replace(/\p{Cs}/gu, '\uFFFD')
		.replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ')
		.trim();
}

/** A text, cut after a word to at most a number of characters. */
export function cutText(text: string, maxLength: number): string {
	const characters = [...text];
	if (characters.length <= maxLength) return text;
	const kept = characters.slice(0, maxLength - 1).join('');
	return `${kept.replace(/(?<!\s)\s+\S{0,30}$/u, '')}…`;
}

/** Text for the content of an HTML or WebVTT element. */
export function escapeContent(text: string): string {
	return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** Text for the content or an attribute of an HTML element. */
export function escapeHtml(text: string): string {
	return escapeContent(text).replace(/"/g, '&quot;').replace(/'/g, '&#39;');
}

/** Later times are refused: no recording lasts a thousand hours. */
const MAX_TIME_SECONDS = 3_600_000;

/** A time of the service, or undefined where it is missing or cannot be one. */
export function usableSeconds(seconds: number | undefined): number | undefined {
	const isUsable = seconds !== undefined && seconds >= 0 && seconds <= MAX_TIME_SECONDS;
	return isUsable ? seconds : undefined;
}

/** A time as lists of chapters write it: `MM:SS`, from one hour on `H:MM:SS`, without fractions. */
export function listTime(timeSeconds: number): string {
	const wholeSeconds = Math.floor(timeSeconds);
	const inHour = new Date(wholeSeconds * 1_000).toISOString().slice(14, 19);
	const hours = Math.floor(wholeSeconds / 3_600);
	return hours > 0 ? `${hours}:${inHour}` : inHour;
}

/** A time as `HH:MM:SS.mmm`; hours go on after 24 and after 99. */
export function normalPlayTime(timeMs: number): string {
	const wholeMs = Math.round(timeMs);
	const hours = String(Math.floor(wholeMs / 3_600_000)).padStart(2, '0');
	return hours + new Date(wholeMs).toISOString().slice(13, 23);
}
