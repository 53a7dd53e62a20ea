import assert from 'node:assert/strict';
import { test } from 'node:test';

import { voicesOfPhrases } from '../text/speech/voicesOfPhrases.mts';
import { Chance } from '../../testkit/measure/chance.mts';

const SIZE = 64;

/** Numbers of length 1 at random. */
function randomVoice(chance: Chance): Float32Array {
	return normal(Float32Array.from({ length: SIZE }, () => chance.normal()));
}

function normal(voice: Float32Array): Float32Array {
	const length = Math.hypot(...voice);
	return voice.map((one) => one / length);
}

/** A voice with a share of another one. */
function mixed(voice: Float32Array, share: number, other: Float32Array): Float32Array {
	return normal(voice.map((one, i) => (1 - share) * one + share * other[i]));
}

/** Phrases of one or more people in turn, of three moments each, which differ by chance. */
function phrasesOf(voices: readonly Float32Array[], chance: Chance, count = 30): Float32Array[][] {
	return Array.from({ length: count }, (_, at) =>
		Array.from({ length: 3 }, () => {
			return mixed(voices[at % voices.length], 0.35, randomVoice(chance));
		}),
	);
}

for (const seed of [1, 2, 3]) {
	await test(`tells two people apart whose voices are alike, and splits none of them (${seed})`, () => {
		const chance = new Chance(seed);
		const one = randomVoice(chance);
		const other = mixed(one, 0.48, randomVoice(chance));
		assert.equal(voicesOfPhrases(phrasesOf([one, other], chance)).length, 2);
		assert.equal(voicesOfPhrases(phrasesOf([one], chance)).length, 1);
		const third = randomVoice(chance);
		assert.equal(voicesOfPhrases(phrasesOf([one, other, third], chance)).length, 3);
	});
}

await test('a voice that changes within phrases is one, however much it changes', () => {
	const chance = new Chance(4);
	const [low, high] = [randomVoice(chance), randomVoice(chance)];
	const phrases = Array.from({ length: 30 }, (_, at) => {
		return [0.35, 0.65, 0.5].map((share) => mixed(low, (share + at / 97) % 1, high));
	});
	assert.equal(voicesOfPhrases(phrases).length, 1);
});

await test('what is too short to be described, and a few phrases alone, are no other person', () => {
	const chance = new Chance(5);
	const one = phrasesOf([randomVoice(chance)], chance);
	const two = phrasesOf([randomVoice(chance)], chance, 2);
	assert.equal(voicesOfPhrases([...one, [], ...two, []]).length, 1);
	assert.equal(voicesOfPhrases([[], []]).length, 1);
	assert.equal(voicesOfPhrases([]).length, 1);
});

await test('somebody who says little is another person only if the voice is quite another', () => {
	const chance = new Chance(6);
	const one = randomVoice(chance);
	const another = mixed(one, 0.48, randomVoice(chance));
	const groupsIn = (other: Float32Array, count: number) =>
		voicesOfPhrases([...phrasesOf([one], chance, 30 - count), ...phrasesOf([other], chance, count)])
			.length;
	// As if shouted now and then.
	assert.equal(groupsIn(another, 4), 1);
	assert.equal(groupsIn(another, 12), 2);
	assert.equal(groupsIn(randomVoice(chance), 4), 2);
});
