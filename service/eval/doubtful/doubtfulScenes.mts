import { Chance } from '../../../testkit/measure/chance.mts';
import { framesOf, RATE_HZ } from '../../../testkit/media/signals.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';
import { roomTone } from '../conditions.mts';
import { actorScenes, fillerSounds } from '../recorded/actors/actorScenes.mts';
import { decodeTakes } from '../recorded/decodeTakes.mts';
import { peopleOf, printSpeakers, type Person } from '../recorded/people.mts';
import { makeScene, type Condition, type ScenePlan } from '../recorded/scenes.mts';
import { speakersOf, type Half } from '../recorded/speakers.mts';
import { takesWithin, type Take } from '../recorded/takes.mts';
import { HOP_SECONDS, type Scene, WORD } from '../scene.mts';
import { Tape } from '../tape.mts';

/** A scene with answers that nobody may cut. */
export interface DoubtfulScene extends Pick<Scene, 'samples' | 'marks'> {
	readonly name: string;
	/** Words of the speaker that are said alone, and an "um" that somebody else says for an answer. */
	readonly answers: Readonly<Record<'word' | 'hum', readonly TimeRange[]>>;
}

/** What happens to the first part of the ten talks; the rest is dry, because the engine finds enough to cut there. */
const CONDITIONS: readonly Condition[] = [
	'dry',
	'noise 20 dB',
	'mp3 64k',
	'room',
	'dry',
	'telephone',
	'opus 24k',
	'noise 15 dB',
	'dry',
	'room',
];
const CONDITIONED_SECONDS = 120;
const DRY_SECONDS = 270;

/** Actors with real fillers in each scene. */
const ACTORS_EACH = 2;

/** How often somebody answers in a scene, and the longest answer in one word, seconds. */
const ANSWERS = 8;
const MAX_WORD_SECONDS = 0.65;
const MIN_WORD_SECONDS = 0.2;

/** Ten scenes of people of a half: a talk with something to cut, actors with real fillers, and answers. */
export async function* doubtfulScenes(
	half: Half,
	seed: number,
	folder: string,
): AsyncGenerator<DoubtfulScene> {
	const people = await peopleOf(half);
	printSpeakers(seed, half, people);
	const actors: Scene[] = [];
	for await (const scene of actorScenes(half, seed)) actors.push(scene);
	const hums = await fillerSounds(half);
	for (const [index, condition] of CONDITIONS.entries()) {
		const chance = new Chance(100 * seed + index);
		const person = people[index % people.length];
		const talk = async (own: Pick<ScenePlan, 'condition' | 'seconds' | 'seed'>) => {
			return await makeScene({ isEventful: true, person, ...own }, people, folder);
		};
		const own = 10_000 * seed + 2 * index;
		const talks = [
			await talk({ condition, seconds: CONDITIONED_SECONDS, seed: own }),
			await talk({ condition: 'dry', seconds: DRY_SECONDS, seed: own + 1 }),
		];
		const others = Array.from({ length: ACTORS_EACH }, () => chance.pick(actors));
		const answers = answersTo(person, await wordsOf(half, person), hums, chance);
		yield joined(`${condition}, ${person.name}`, [...talks, ...others], answers);
	}
}

/** What a person says in one word. */
async function wordsOf(half: Half, { name }: Person): Promise<Take[]> {
	const speaker = speakersOf(half).find((one) => one.name === name);
	if (speaker === undefined) return [];
	return takesWithin((await decodeTakes(speaker)).takes, MIN_WORD_SECONDS, MAX_WORD_SECONDS);
}

/** A person's sentences, and between them answers in one word, and hums of others. */
function answersTo(
	person: Person,
	words: readonly Take[],
	hums: readonly Float32Array[],
	chance: Chance,
) {
	const tape = new Tape(ANSWERS * 16, chance);
	const answers: Record<'word' | 'hum', TimeRange[]> = { word: [], hum: [] };
	tape.pause(0.3, 0.5);
	for (let count = 0; count < ANSWERS; count++) {
		const phrase = chance.pick(person.phrases);
		tape.say(phrase.samples, phrase.marks);
		tape.pause(0.2, 0.6);
		const startSeconds = tape.seconds;
		if (count % 2 === 0 && words.length > 0) {
			const { samples, marks } = chance.pick(words);
			tape.say(samples, marks);
			answers.word.push({
				startSeconds: startSeconds + marks.indexOf(WORD) * HOP_SECONDS,
				endSeconds: startSeconds + (marks.lastIndexOf(WORD) + 1) * HOP_SECONDS,
			});
		} else {
			const hum = chance.pick(hums);
			const hops = Math.ceil(hum.length / RATE_HZ / HOP_SECONDS);
			tape.say(hum, new Uint8Array(hops).fill(WORD));
			answers.hum.push({ startSeconds, endSeconds: tape.seconds });
		}
		tape.pause(0.2, 0.6);
	}
	const clean = tape.clean.subarray(0, framesOf(tape.seconds));
	const samples = roomTone(clean.length, person.noiseDb, chance).map(
		(tone, at) => tone + clean[at],
	);
	return {
		samples,
		marks: tape.marks.subarray(0, Math.round(tape.seconds / HOP_SECONDS)),
		answers,
	};
}

/** Scenes one after the other, each from a whole hop on. */
function joined(
	name: string,
	scenes: readonly Pick<Scene, 'samples' | 'marks'>[],
	last: ReturnType<typeof answersTo>,
): DoubtfulScene {
	const all = [...scenes, last];
	const hops = all.map(({ marks }) => marks.length);
	const samples = new Float32Array(framesOf(hops.reduce((a, b) => a + b) * HOP_SECONDS));
	const marks = new Uint8Array(hops.reduce((a, b) => a + b));
	let place = 0;
	for (const scene of all) {
		const room = framesOf(scene.marks.length * HOP_SECONDS);
		samples.set(scene.samples.subarray(0, room), framesOf(place * HOP_SECONDS));
		marks.set(scene.marks, place);
		place += scene.marks.length;
	}
	const later = (place - last.marks.length) * HOP_SECONDS;
	const moved = (ranges: readonly TimeRange[]) =>
		ranges.map(({ startSeconds, endSeconds }) => {
			return { startSeconds: startSeconds + later, endSeconds: endSeconds + later };
		});
	const { word, hum } = last.answers;
	return { name, samples, marks, answers: { word: moved(word), hum: moved(hum) } };
}
