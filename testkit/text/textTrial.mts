import { millisecondsOf, PIECES, slowdown, MAX_SLOWDOWN } from './growth.ts';
import { OUTSIDE_TEXT_FUNCTIONS, REPEATED } from './outsideTexts.mts';

const CHARACTERS = 65_536;

/** Less is no quadratic code: that would do this many characters times themselves, 4 billion steps. */
const SLOW_MS = 40;

const LAST = '\u0007';

/** Returns the functions that take more than linear time for a text, each with the piece it repeats. */
export function slowerThanLinear(functions = OUTSIDE_TEXT_FUNCTIONS, pieces = REPEATED): string[] {
	return Object.entries(functions).flatMap(([name, read]) =>
		pieces
			.filter((piece) => {
				const repeated = piece.repeat(CHARACTERS / piece.length);
				// A pattern for the end of a text fails at the last character, which none of them has.
				const whole = repeated + LAST;
				const part = repeated.slice(0, CHARACTERS / PIECES) + LAST;
				const readWhole = () => read(whole);
				// The first turns may be slow for other reasons: the code is new, or the machine busy.
				const isFast = [1, 2, 3, 4].some(() => millisecondsOf(readWhole) < SLOW_MS);
				return !isFast && slowdown(readWhole, () => read(part)) > MAX_SLOWDOWN;
			})
			.map((piece) => `${name}: ${JSON.stringify(piece)}`),
	);
}
