import type { Chance } from '../../../testkit/measure/chance.mts';
import { atSpeed, faded, framesOf, RATE_HZ } from '../../../testkit/media/signals.mts';
import { decodeTakes } from './decodeTakes.mts';
import { speakersOf, type Half } from './speakers.mts';
import { HOP_SECONDS, WORD } from '../scene.mts';
import { takesWithin, type Take } from './takes.mts';
import { breathOf, openVowelsOf } from './vowels.mts';

/** A speaker with fewer sentences is let say single words. */
const MIN_SENTENCES = 5;

/** With fewer phrases than that, the same ones would come again and again, in seconds. */
const MIN_SPEECH_SECONDS = 15;

/** Enough to find vowels in. */
const PHRASES_FOR_VOWELS = 40;

/** In louder noise, the level does not show where words end, dB against speech. */
const MAX_NOISE_DB = -40;

/** No room is quieter than this, dB against speech. */
const MIN_NOISE_DB = -62;

/** The people of one half, without those whose recordings are too few or too noisy to find words in. */
export async function peopleOf(half: Half) {
	const people = [];
	for (const speaker of speakersOf(half)) {
		const { takes, noiseDb } = await decodeTakes(speaker);
		if (noiseDb > MAX_NOISE_DB) continue;
		const sentences = takesWithin(takes, 1.3, 9);
		const phrases = sentences.length >= MIN_SENTENCES ? sentences : takesWithin(takes, 0.4, 9);
		const speechSeconds = phrases.reduce((sum, { samples }) => sum + samples.length / RATE_HZ, 0);
		if (speechSeconds < MIN_SPEECH_SECONDS) continue;
		people.push({
			name: speaker.name,
			/** Sentences, or words where there are no sentences. */
			phrases,
			digits: takes.filter(({ path }) => /digits\/[1-9]\./.test(path)),
			/** The noise of the recordings, against speech. */
			noiseDb: Math.max(MIN_NOISE_DB, noiseDb),
			vowels: openVowelsOf(phrases.slice(0, PHRASES_FOR_VOWELS)),
			/** Phrases that begin with the same word, in groups. */
			sameBeginnings: sameBeginningsOf(takesWithin(takes, 0.6, 9)),
		});
	}
	return people;
}

/** A speaker with everything that scenes are made of. */
export type Person = Awaited<ReturnType<typeof peopleOf>>[number];

function sameBeginningsOf(takes: readonly Take[]): Take[][] {
	const groups = new Map<string, Take[]>();
	for (const take of takes) {
		const first = take.text?.toLowerCase().match(/^[^\p{L}]*(\p{L}{2,})/u)?.[1];
		if (first === undefined) continue;
		groups.set(first, [...(groups.get(first) ?? []), take]);
	}
	return [...groups.values()].filter((group) => group.length >= 2);
}

/** A breath at RMS 1, or undefined. */
export function personBreath({ vowels }: Person, chance: Chance): Float32Array | undefined {
	return vowels.length > 0 ? breathOf(chance.pick(vowels), chance) : undefined;
}

/** Broken-off beginnings from one take and the phrase from another, or undefined. */
export function stutterOf(
	{ sameBeginnings }: Person,
	chance: Chance,
): { fragments: Float32Array[]; phrase: Take } | undefined {
	if (sameBeginnings.length === 0) return undefined;
	const group = chance.pick(sameBeginnings);
	const index = chance.whole(0, group.length - 1);
	const phrase = group[index];
	const other = group[(index + chance.whole(1, group.length - 1)) % group.length];
	const seconds = chance.between(0.12, 0.3);
	const fragments = Array.from({ length: chance.whole(1, 2) }, () => {
		const onset = framesOf(Math.max(0, other.marks.indexOf(WORD) - 1) * HOP_SECONDS);
		const length = framesOf(seconds * chance.between(0.85, 1.15));
		const part = other.samples.slice(onset, onset + length);
		return faded(atSpeed(part, chance.between(0.98, 1.02)), 0.003, 0.03);
	});
	return { fragments, phrase };
}

/** Prints the seed and who is heard, so that a figure can be had again. */
export function printSpeakers(seed: number, half: Half, people: readonly Person[]): void {
	const names = people.map(({ name }) => name).join(' ');
	console.log(`seeds ${seed} of speakers who ${half === 'tuning' ? 'tune' : 'judge'}: ${names}`);
}
