import type { Person } from './people.mts';
import { CONDITIONS, type Condition, type ScenePlan } from './scenes.mts';

/** How long the scenes of one condition are together, in seconds: with nothing to cut, with events. */
const AMOUNTS: Readonly<Record<Condition, readonly [number, number]>> = {
	dry: [900, 420],
	room: [240, 240],
	'noise 20 dB': [0, 120],
	'noise 15 dB': [180, 120],
	'noise 10 dB': [0, 120],
	'music 15 dB': [180, 120],
	telephone: [180, 60],
	'mp3 64k': [60, 60],
	'opus 24k': [60, 60],
	'gain -14 dB': [60, 0],
	whispered: [120, 0],
	'two speakers': [60, 0],
	'second speaker in fan noise': [120, 0],
};

const SCENE_SECONDS = 60;

/** @param share of the usual amount, 0 to 1. */
export function plansOf(people: readonly Person[], seed: number, share: number): ScenePlan[] {
	const turns = turnsOf(people);
	const plans: ScenePlan[] = [];
	for (const condition of CONDITIONS) {
		const [plain, eventful] = AMOUNTS[condition];
		for (const [seconds, isEventful] of [
			[plain, false],
			[eventful, true],
		] as const) {
			const count = Math.ceil((seconds * share) / SCENE_SECONDS);
			for (let index = 0; index < count; index++) {
				plans.push({
					condition,
					isEventful,
					person: turns[plans.length % turns.length],
					seconds: SCENE_SECONDS,
					seed: seed * 1_000 + plans.length,
				});
			}
		}
	}
	return plans;
}

/** In which order people speak: two of Asterisk's, who say sentences, then one of the other people. */
function turnsOf(people: readonly Person[]): Person[] {
	const main = people.filter(({ digits }) => digits.length > 0);
	const rest = people.filter((person) => !main.includes(person));
	if (main.length === 0 || rest.length === 0) return [...people];
	const rounds = Math.max(main.length, rest.length);
	return Array.from({ length: rounds }, (_, round) => [
		main[(2 * round) % main.length],
		main[(2 * round + 1) % main.length],
		rest[round % rest.length],
	]).flat();
}
