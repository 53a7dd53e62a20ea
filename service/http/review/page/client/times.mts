import { KIND_WORDS, type Cut } from './wire.mts';

/** Formats seconds as m:ss.s, or as h:mm:ss.s from one hour. */
export function clock(seconds: number): string {
	const tenths = Math.round(seconds * 10);
	const rest = ((tenths % 600) / 10).toFixed(1).padStart(4, '0');
	const minutes = Math.floor(tenths / 600);
	if (minutes < 60) return `${minutes}:${rest}`;
	return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`;
}

/** Returns a cut in words: "Filler word at 0:12.3". */
export function nameOf({ kind, start }: Cut, rate: number): string {
	return `${KIND_WORDS[kind][0]} at ${clock(start / rate)}`;
}

/** Returns the cuts that are made. */
export function removedFrom<T extends Cut>(cuts: readonly T[]): T[] {
	return cuts.filter(({ keep }) => !keep);
}
