import { OUTSIDE_TEXT_FUNCTIONS, REPEATED } from './outsideTexts.mts';

const CHARACTERS = 65_536;
const PIECES = 32;

/**
 * One text takes linear code as long as its 32 pieces, quadratic code 32 times as long. The limit leaves room
 * for the garbage collector.
 */
const SLOWER_AT_MOST = 6;

/** Less is no quadratic code: that would do this many characters times themselves, 4 billion steps. */
const SLOW_MS = 40;

const TURNS = 3;

const LAST = '\u0007';

function millisecondsOf(work: () => unknown): number {
	const before = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1_000;
}

function leastMs(work: () => unknown): number {
	let least = Infinity;
	for (let turn = 0; turn < TURNS; turn += 1) least = Math.min(least, millisecondsOf(work));
	return least;
}

/** Returns the functions that take more than linear time for a text, each with the piece it repeats. */
export function slowerThanLinear(functions = OUTSIDE_TEXT_FUNCTIONS, pieces = REPEATED): string[] {
	return Object.entries(functions).flatMap(([name, read]) =>
		pieces
			.filter((piece) => {
				const repeated = piece.repeat(CHARACTERS / piece.length);
				// A pattern for the end of a text fails at the last character, which none of them has.
				const whole = repeated + LAST;
				const part = repeated.slice(0, CHARACTERS / PIECES) + LAST;
				if (millisecondsOf(() => read(whole)) < SLOW_MS) return false;
				const parts = () => {
					for (let done = 0; done < PIECES; done += 1) read(part);
				};
				return leastMs(() => read(whole)) > SLOWER_AT_MOST * leastMs(parts);
			})
			.map((piece) => `${name}: ${JSON.stringify(piece)}`),
	);
}
