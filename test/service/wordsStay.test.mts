import assert from 'node:assert/strict';
import { test } from 'node:test';

import { resolveEditConfig } from '../../service/shared/contract.mts';
import { findEdits } from '../../service/engine/findEdits.mts';
import { SyntheticTalk } from './support/syntheticTalk.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';

await using folder = await temporaryFolder();

/** Everything but long silences, and no noise reduction that could hide a mistake. */
const CONFIG = resolveEditConfig({
	...{ fillers: true, hesitations: true, stutters: true, mouth_sounds: true, breath: true },
	remove_noise: false,
});

/** The kinds of edits found in a talk. */
async function kindsIn(talk: SyntheticTalk): Promise<string[]> {
	return (await findEdits(CONFIG, [await talk.track(folder.path)])).map(({ kind }) => kind);
}

/** A talk with something between its sentences, twice. */
function talkAround(add: (talk: SyntheticTalk) => SyntheticTalk): SyntheticTalk {
	const talk = new SyntheticTalk().pause(0.5).sentence().pause(0.5).sentence();
	return add(add(talk).pause(0.4).sentence()).pause(0.4).sentence().pause(0.5);
}

const STAYS: Readonly<Record<string, (talk: SyntheticTalk) => SyntheticTalk>> = {
	'the echo of a word': (talk) => talk.tail(0.6),
	'the soft end of a word': (talk) => talk.pause(0.02).tail(0.35),
	'a t at the end of a word': (talk) => talk.pause(0.1).burst(),
	'a t at the end of a word, after a long stop': (talk) => talk.pause(0.14).burst(),
	'a t before a word': (talk) => talk.pause(0.4).burst().pause(0.04).word('a', 'i'),
	'the k of "kto"': (talk) => talk.pause(0.4).burst().pause(0.07).burst().word('o', 'a'),
	'a word said twice on purpose': (talk) =>
		talk.pause(0.3).word('a', 'u', 'e').pause(0.12).word('a', 'u', 'e').pause(0.3),
	'a word with the same syllable twice': (talk) =>
		talk.pause(0.3).word('a').pause(0.05).word('a', 'i', 'o'),
	'a word that begins with one syllable twice and a long stop between': (talk) =>
		talk.pause(0.3).fragment(0.2, 'a', 'u').pause(0.08).word('a', 'u', 'e', 'i'),
	'a vowel that moves': (talk) => talk.pause(0.3).word('a', 'e', 'i').pause(0.3),
	'a vowel that is drawn out after a stop': (talk) =>
		talk.pause(0.3).word('a', 'i').pause(0.1).filler(0.8, 'a').pause(0.3),
	'a vowel that is drawn out after a hiss': (talk) =>
		talk.pause(0.3).word('o', 'e').tail(0.2).filler(0.8, 'a').pause(0.3),
	'a short word of one vowel': (talk) => talk.pause(0.3).filler(0.14, 'e').pause(0.3),
};

for (const [title, add] of Object.entries(STAYS)) {
	await test(`${title} stays`, async () => {
		assert.deepEqual(await kindsIn(talkAround(add)), []);
	});
}

await test('a held sound at the very beginning or end stays: it may be a word', async () => {
	const talk = new SyntheticTalk().filler(0.4).pause(0.4).sentence().pause(0.4).filler(0.4);
	assert.deepEqual(await kindsIn(talk), []);
});

await test('a held sound among words said alone stays: it may be one of them', async () => {
	const alone = (talk: SyntheticTalk) =>
		talk.word('a', 'i').pause(0.5).filler(0.4).pause(0.5).word('o', 'e', 'a').pause(0.5);
	assert.deepEqual(await kindsIn(alone(alone(alone(new SyntheticTalk())))), []);
});

for (const vowel of ['e', 'schwa', 'o', 'a'] as const) {
	for (const seconds of [0.4, 1.6]) {
		await test(`a held ${vowel} of ${seconds} s is a filler`, async () => {
			const talk = talkAround((it) => it.pause(0.3).filler(seconds, vowel).pause(0.3));
			assert.deepEqual(await kindsIn(talk), ['filler', 'filler']);
		});
	}
}

await test('what a speaker does between words stays where there is music', async () => {
	const sounds = (talk: SyntheticTalk) =>
		talk.pause(0.4).breath(-14).pause(0.4).click().pause(0.4).filler(0.5).pause(0.4);
	const quiet = await kindsIn(talkAround(sounds));
	assert.deepEqual(quiet, ['breath', 'mouth_sound', 'filler', 'breath', 'mouth_sound', 'filler']);
	assert.deepEqual(await kindsIn(talkAround(sounds).overMusic()), []);
});
