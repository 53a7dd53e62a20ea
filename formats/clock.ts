/** Times as people and players write them. */

/**
 * A time as subtitles write it, `HH:MM:SS` and milliseconds; hours go on beyond 24 and beyond 99.
 *
 * @param timeMs whole milliseconds, not negative
 * @param fractionMark `,` in SRT, `.` in WebVTT
 */
export function cueTime(timeMs: number, fractionMark: ',' | '.'): string {
	const { hours, minutes, seconds } = partsOf(Math.floor(timeMs / 1_000));
	const fraction = String(timeMs % 1_000).padStart(3, '0');
	return `${twoDigits(hours)}:${twoDigits(minutes)}:${twoDigits(seconds)}${fractionMark}${fraction}`;
}

/** A time as lists of chapters write it: `MM:SS`, from one hour on `H:MM:SS`; fractions are cut off. */
export function listTime(timeSeconds: number): string {
	const { hours, minutes, seconds } = partsOf(Math.floor(timeSeconds));
	const inHour = `${twoDigits(minutes)}:${twoDigits(seconds)}`;
	return hours > 0 ? `${hours}:${inHour}` : inHour;
}

function partsOf(wholeSeconds: number) {
	return {
		hours: Math.floor(wholeSeconds / 3_600),
		minutes: Math.floor(wholeSeconds / 60) % 60,
		seconds: wholeSeconds % 60,
	};
}

function twoDigits(value: number): string {
	return String(value).padStart(2, '0');
}

/** Later times are taken for garbage: no recording lasts a thousand hours. */
const LATEST_SECONDS = 3_600_000;

/** A time of the service, or undefined where it is missing or cannot be one. */
export function usableSeconds(seconds: number | undefined): number | undefined {
	const isUsable = seconds !== undefined && seconds >= 0 && seconds <= LATEST_SECONDS;
	return isUsable ? seconds : undefined;
}
