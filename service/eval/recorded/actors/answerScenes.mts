import { Chance } from '../../../../testkit/measure/chance.mts';
import { roomTone } from '../../conditions.mts';
import { HOP_SECONDS, type Scene, withBackground, WORD } from '../../scene.mts';
import { framesOf, fromDb, RATE_HZ, scaled } from '../../../../testkit/media/signals.mts';
import { Tape } from '../../tape.mts';
import type { Person } from '../people.mts';
import type { Half } from '../speakers.mts';
import { fillerSounds } from './actorScenes.mts';

/** The condition of these scenes. */
export const ANSWERS = 'answers';

/** How much softer than the one who talks somebody says "hmm", dB. */
const SOFTER_DB = [0, 6] as const;

/** The longest sentence, the longest answer and the pauses around it. */
const MAX_SECONDS_EACH = 13;

/**
 * One person of a half talks, and actors of the same half say "hmm" and "uh" between the sentences. These are
 * the real fillers, but as answers, and so they count as words.
 */
export async function* answerScenes(
	half: Half,
	people: readonly Person[],
	seed: number,
): AsyncGenerator<Scene> {
	const chance = new Chance(seed);
	const answers = await fillerSounds(half);
	// Only they say sentences.
	for (const person of people.filter(({ digits }) => digits.length > 0)) {
		const tape = new Tape(answers.length * MAX_SECONDS_EACH, chance);
		tape.pause(0.3, 0.5);
		for (const answer of answers) {
			const phrase = chance.pick(person.phrases);
			tape.say(phrase.samples, phrase.marks);
			tape.pause(0.15, 0.6);
			const hops = Math.ceil(answer.length / RATE_HZ / HOP_SECONDS);
			const softer = scaled(answer, fromDb(-chance.between(...SOFTER_DB)));
			tape.say(softer, new Uint8Array(hops).fill(WORD));
			tape.pause(0.15, 0.6);
		}
		const clean = tape.clean.subarray(0, framesOf(tape.seconds));
		const marks = tape.marks.subarray(0, Math.round(tape.seconds / HOP_SECONDS));
		const tone = roomTone(clean.length, person.noiseDb, chance);
		const recording = withBackground({ clean, events: [] }, tone);
		yield { condition: ANSWERS, isEventful: false, name: person.name, marks, ...recording };
	}
}
