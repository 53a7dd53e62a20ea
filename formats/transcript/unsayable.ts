import type { Timed } from './repairTimestamps';

/** Nobody says more characters a second: such words come from a recognizer that repeats itself. */
const MAX_SPEAKING_SPEED = 40;

/** Single words have inexact times. This much in a row, a second of the fastest speech, is no accident. */
const MIN_RUN_CHARACTERS = 40;

/** Marks the words, in the order of their times, that are in a run which nobody can say so fast. */
export function unsayable(words: readonly Timed[]): boolean[] {
	const marks = words.map(() => false);
	for (let index = 0; index < words.length; index++) {
		const first = index;
		let characters = 0;
		while (index < words.length && isTooFast(words[index], words[index + 1]?.startMs)) {
			characters += words[index].text.length + 1;
			index++;
		}
		if (characters < MIN_RUN_CHARACTERS) continue;
		// The last word of a run has the pause after it to itself, but no more time of its own.
		if (index < words.length && isTooFast(words[index])) index++;
		marks.fill(true, first, index);
	}
	return marks;
}

/** @param nextStartMs a word lasts at least until the next one where its own end is not known */
function isTooFast({ text, startMs, endMs }: Timed, nextStartMs = startMs): boolean {
	const seconds = (Math.max(endMs, nextStartMs) - startMs) / 1_000;
	return text.length > MAX_SPEAKING_SPEED * seconds;
}
