import { Chance } from '../../../testkit/measure/chance.mts';
import { HOP_SECONDS, OTHER, type Scene, SPEECH_RMS, withBackground, WORD } from '../scene.mts';
import {
	addAt,
	activeRms,
	framesOf,
	fromDb,
	lowPassed,
	RATE_HZ,
	rms,
	scaled,
} from '../../../testkit/media/signals.mts';
import { babbleOf, noiseSound } from '../sounds.mts';
import { hum, inRoom, passed, PASSAGES, pinkNoise, roomTone } from '../conditions.mts';
import { whispered } from '../whisper.mts';
import type { Person } from './people.mts';
import { doubtfulSounds, longSilences } from './pauses.mts';
import { MUSIC, soundFiles, soundOf } from './soundFiles.mts';
import { eventfulTalk, plainTalk, type Talk } from './talks.mts';

/** What happens to a talk between the mouth and the engine. */
export const CONDITIONS = [
	'dry',
	'room',
	'noise 20 dB',
	'noise 15 dB',
	'noise 10 dB',
	'music 15 dB',
	'telephone',
	'mp3 64k',
	'opus 24k',
	'gain -14 dB',
	'whispered',
	'two speakers',
	'second speaker in fan noise',
] as const;
export type Condition = (typeof CONDITIONS)[number];

/** A scene that is still to be made. */
export interface ScenePlan {
	condition: Condition;
	isEventful: boolean;
	person: Person;
	seconds: number;
	seed: number;
}

/** Level of a word over the noise below which it is not heard, dB. */
const MASKED_DB = -4;

/** A word goes on in the first echoes of a room, hops. */
const ECHO_HOPS = 5;

/** How far the second speaker is below the first, dB. */
const SECOND_SPEAKERS_DB: Partial<Record<Condition, readonly number[]>> = {
	'two speakers': [-12, -18],
	'second speaker in fan noise': [-15],
};

/** So the second speaker is 1 dB louder than the fan, dB against the first speaker. */
const FAN_DB = -16;

const NOISES = ['white', 'pink', 'fan', 'babble', 'hum', 'office'] as const;

/** @param people of the same half, for babble and second speakers. */
export async function makeScene(
	plan: ScenePlan,
	people: readonly Person[],
	folder: string,
): Promise<Scene> {
	const { condition, isEventful, person, seconds, seed } = plan;
	const chance = new Chance(seed);
	const make = isEventful ? eventfulTalk : plainTalk;
	const secondSpeakersDb = SECOND_SPEAKERS_DB[condition];
	const talk = secondSpeakersDb
		? together(person, people, { seconds, secondSpeakersDb }, chance)
		: make(person, seconds, chance);
	const frames = talk.clean.length;
	const { noiseDb } = talk.person;
	const tone = roomTone(frames, noiseDb, chance);
	const { name, clean, background } = await conditioned(talk, condition, people, chance);
	const recording = withBackground({ clean, events: talk.events }, tone, background);
	const passages = PASSAGES[condition];
	const samples = passages
		? await passed(recording.samples, chance.pick(passages), folder)
		: scaled(recording.samples, condition === 'gain -14 dB' ? fromDb(-14) : 1);
	const wordMarks = condition === 'room' ? withEchoes(talk.marks) : talk.marks;
	const marks = withoutMasked(wordMarks, clean, background);
	const events = [...recording.events, ...doubtfulSounds(marks)];
	// In music that is heard, a join is heard too, so nobody expects a cut there.
	const inMusic = condition.startsWith('music');
	const silences = longSilences(marks, events).map((one) => {
		return { ...one, isMasked: one.isMasked || inMusic };
	});
	return {
		condition,
		isEventful,
		name,
		samples,
		clean,
		marks,
		events: [...events, ...silences],
	};
}

async function conditioned(
	talk: Talk,
	condition: Condition,
	people: readonly Person[],
	chance: Chance,
) {
	const frames = talk.clean.length;
	const name = talk.person.name;
	const speech = activeRms(talk.clean);
	if (condition === 'room') {
		const rt60 = chance.between(0.3, 0.9);
		const clean = inRoom(talk.clean, rt60, chance);
		return { name: `${name}, ${rt60.toFixed(1)} s`, clean, background: new Float32Array(frames) };
	}
	if (condition === 'second speaker in fan noise') {
		const fan = noiseBed('fan', frames, people, chance);
		return { name, clean: talk.clean, background: scaled(fan, SPEECH_RMS * fromDb(FAN_DB)) };
	}
	const level = Number(/\d+(?= dB)/.exec(condition)?.[0] ?? 0);
	if (condition.startsWith('noise')) {
		const kind = chance.pick(NOISES);
		const noise = noiseBed(kind, frames, people, chance);
		return {
			name: `${name}, ${kind}`,
			clean: talk.clean,
			background: scaled(noise, speech * fromDb(-level)),
		};
	}
	if (condition.startsWith('music')) {
		const music = await musicBed(frames, chance);
		const background = scaled(music, (speech * fromDb(-level)) / activeRms(music));
		return { name, clean: talk.clean, background };
	}
	const clean = condition === 'whispered' ? whispered(talk.clean, chance) : talk.clean;
	return { name, clean, background: new Float32Array(frames) };
}

/** Noise at RMS 1. */
export function noiseBed(
	kind: (typeof NOISES)[number],
	frames: number,
	people: readonly Person[],
	chance: Chance,
): Float32Array {
	if (kind === 'pink') return pinkNoise(frames, chance);
	if (kind === 'hum') return hum(frames);
	if (kind === 'fan' || kind === 'office') return noiseSound(kind, frames, chance);
	if (kind === 'white') {
		return Float32Array.from({ length: frames }, () => chance.normal());
	}
	const voices = Array.from({ length: 16 }, () => {
		return chance.pick(chance.pick(people).phrases).samples;
	});
	return babbleOf(voices, frames, chance);
}

async function musicBed(frames: number, chance: Chance): Promise<Float32Array> {
	const path = chance.pick(soundFiles(MUSIC));
	const part = { startSeconds: chance.whole(0, 40), seconds: Math.min(60, frames / RATE_HZ) };
	const music = await soundOf(path, part);
	const bed = new Float32Array(frames);
	for (let frame = 0; frame < frames; frame += music.length) addAt(bed, music, frame);
	return bed;
}

/** Two people in turns on one track, the second much softer. */
function together(
	first: Person,
	people: readonly Person[],
	{ seconds, secondSpeakersDb }: { seconds: number; secondSpeakersDb: readonly number[] },
	chance: Chance,
): Talk {
	const second = chance.pick(people.filter(({ name }) => name !== first.name));
	const turns = [first, second, first, second].map((person) =>
		plainTalk(person, Math.round(seconds / 4), chance),
	);
	const gain = fromDb(chance.pick(secondSpeakersDb));
	const clean = new Float32Array(framesOf(seconds));
	const marks = new Uint8Array(Math.round(seconds * 100));
	turns.forEach((turn, index) => {
		const start = index * Math.round(seconds / 4);
		addAt(clean, turn.clean, framesOf(start), index % 2 === 0 ? 1 : gain);
		marks.set(turn.marks.subarray(0, marks.length - start * 100), start * 100);
	});
	return { person: first, clean, marks, events: [] };
}

function withEchoes(marks: Uint8Array): Uint8Array {
	return marks.map((mark, hop) =>
		marks.subarray(Math.max(0, hop - ECHO_HOPS), hop).includes(WORD) ? WORD : mark,
	);
}

/** Ignores what the background masks in every band, because it is inaudible. */
function withoutMasked(
	marks: Uint8Array,
	clean: Float32Array,
	background: Float32Array,
): Uint8Array {
	const noises = bandsOf(background);
	const bands = bandsOf(clean).map((band, index) => [band, noises[index]]);
	const span = framesOf(HOP_SECONDS);
	return marks.map((mark, hop) => {
		const [start, end] = [Math.max(0, hop - 1) * span, (hop + 2) * span];
		const isMasked = bands.every(([word, noise]) => {
			return rms(word.subarray(start, end)) < rms(noise.subarray(start, end)) * fromDb(MASKED_DB);
		});
		return mark === WORD && isMasked ? OTHER : mark;
	});
}

/** The bands of the first formants, of the higher ones, and of the consonants. */
function bandsOf(samples: Float32Array): Float32Array[] {
	const cuts = [300, 1_000, 4_000].map((hz) => lowPassed(lowPassed(samples, hz), hz));
	return [...cuts.slice(1), samples].map((upper, band) => {
		return upper.map((sample, frame) => sample - cuts[band][frame]);
	});
}
