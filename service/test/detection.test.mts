import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import type { SignalFeatures } from '../engine/detection/features.mts';
import { findFillers } from '../engine/detection/fillers.mts';
import { MEL_BANDS } from '../engine/detection/melSpectrum.mts';
import { sceneOf } from '../engine/detection/scene.mts';
import { resolveEditConfig, type EditConfig } from '../shared/contract.mts';
import { findEdits } from '../engine/findEdits.mts';
import { assertNear } from './support/assertNear.mts';
import { pcmOf } from '../../testkit/service/signals.mts';
import { searched, START_SECONDS, SyntheticTalk, talkWith } from './support/syntheticTalk.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import type { EditKind, TimelineEdit } from '../shared/timeRanges.mts';

await using folder = await temporaryFolder();

async function editsIn(talk: SyntheticTalk, wishes: EditConfig): Promise<TimelineEdit[]> {
	return await findEdits(configOf(wishes), [await talk.track(folder.path)]);
}

/** Nothing is denoised but for the search. */
function configOf(wishes: EditConfig) {
	return resolveEditConfig({ remove_noise: false, ...wishes });
}

const EVERYTHING: EditConfig = {
	fillers: true,
	hesitations: true,
	stutters: true,
	mouth_sounds: true,
	breath: true,
};

for (const [kind, wishes, add] of [
	['breath', { breath: true }, (talk) => talk.breath(-18)],
	['mouth_sound', { mouth_sounds: true }, (talk) => talk.click()],
	['filler', { fillers: true }, (talk) => talk.filler(0.5)],
	['hesitation', { hesitations: true }, (talk) => talk.filler(0.2)],
] satisfies [EditKind, EditConfig, (talk: SyntheticTalk) => SyntheticTalk][]) {
	await test(`a ${kind} is found where it is, and no word is taken for one`, async () => {
		const [edit, ...more] = await editsIn(talkWith(add), wishes);
		const length = add(new SyntheticTalk()).seconds;
		assert.deepEqual([edit.kind, more], [kind, []]);
		assertNear(edit.startSeconds, START_SECONDS, 0.06, 'start');
		assertNear(edit.endSeconds, START_SECONDS + length, 0.06, 'end');
		assert.ok(edit.sure >= 0 && edit.sure <= 1);
	});
	await test(`a ${kind} stays when it is not asked for`, async () => {
		assert.deepEqual(await editsIn(talkWith(add), { breath: false, stutters: true }), []);
	});
}

await test('is less sure of a breath that is almost as loud as speech', async () => {
	const sureAt = async (levelDb: number) => {
		const talk = talkWith((it) => it.breath(levelDb));
		const edits = await editsIn(talk, { breath: true });
		assert.equal(edits.length, 1, `${levelDb} dB`);
		return edits[0].sure;
	};
	const [loud, soft] = [await sureAt(-12), await sureAt(-18)];
	assert.ok(loud < soft, `${loud} is not less than ${soft}`);
});

await test('a stutter is cut from its first try to the word', async () => {
	const stuttered = (talk: SyntheticTalk) =>
		talk.fragment(0.15, 'a', 'u', 'i').pause(0.12).fragment(0.15, 'a', 'u', 'i').pause(0.12);
	const talk = stuttered(new SyntheticTalk().sentence().pause(0.4).sentence().pause(0.3));
	talk.word('a', 'u', 'i', 'e').pause(0.5).sentence();
	const [edit, ...more] = await editsIn(talk, { stutters: true });
	const length = stuttered(new SyntheticTalk()).seconds;
	assert.deepEqual([edit.kind, more], ['stutter', []]);
	assertNear(edit.startSeconds, START_SECONDS, 0.06, 'start');
	assertNear(edit.endSeconds, START_SECONDS + length, 0.06, 'end');
});

await test('an "uh" is cut, and the same from a higher voice is an answer and stays', async () => {
	const saidAt = async (pitchHz: number) => {
		const talk = talkWith((it) => it.filler(0.6, 'schwa', pitchHz));
		return (await editsIn(talk, { fillers: true })).map(({ kind }) => kind);
	};
	assert.deepEqual(await saidAt(125), ['filler']);
	assert.deepEqual(await saidAt(190), []);
});

await test('breath: true takes all, legacy what is certain, natural what is loud', async () => {
	const talk = new SyntheticTalk().sentence().pause(0.3);
	const loudAt = talk.seconds;
	talk.breath(-13).pause(0.3).sentence().pause(0.3);
	const softAt = talk.seconds;
	talk.breath(-30).pause(0.3).sentence().pause(0.3);
	const touchingAt = talk.seconds;
	talk.breath(-13).sentence().pause(0.5).sentence();
	const starts = async (breath: true | 'legacy' | 'natural') =>
		(await editsIn(talk, { breath })).map(({ startSeconds }) => startSeconds);
	const [all, legacy, natural] = [
		await starts(true),
		await starts('legacy'),
		await starts('natural'),
	];
	const holds = (seconds: readonly number[], at: number) =>
		seconds.some((s) => Math.abs(s - at) < 0.08);
	for (const at of [loudAt, softAt, touchingAt]) assert.ok(holds(all, at), `all: ${at}`);
	assert.ok(holds(legacy, loudAt) && !holds(legacy, touchingAt), 'legacy');
	assert.ok(holds(natural, loudAt) && !holds(natural, softAt), 'natural');
	assert.ok(legacy.length < all.length && natural.length < all.length);
});

await test('on two tracks nothing is cut while the other speaks', async () => {
	const one = talkWith((talk) => talk.breath(-18).pause(1.5).breath(-18));
	const other = new SyntheticTalk().sentence();
	other
		.pause(START_SECONDS - other.seconds - 0.2)
		.sentence()
		.pause(3)
		.sentence();
	const tracks = [await one.track(folder.path), await other.track(folder.path)];
	const config = configOf({ breath: true });
	const alone = await findEdits(config, [tracks[0]]);
	const together = await findEdits(config, tracks);
	assert.equal(alone.length, 2);
	assert.equal(together.length, 1);
	assertNear(together[0].startSeconds, alone[1].startSeconds, 0.02, 'start');
});

await test('nothing is found where nobody speaks', async () => {
	for (const seconds of [0, 0.005, 3]) {
		const talk = new SyntheticTalk().pause(seconds);
		const edits = await editsIn(talk, { ...EVERYTHING, long_silences: true });
		assert.deepEqual(edits, [], `${seconds} s`);
	}
});

await test('searches an hour of music without a pause', () => {
	const hops = 360_000;
	const levels = new Float32Array(hops).fill(-20);
	const music: SignalFeatures = {
		hops,
		levels,
		edges: levels,
		peaks: levels,
		pitchHz: levels,
		mel: new Uint8Array(hops * MEL_BANDS).fill(100),
		voicing: new Uint8Array(hops),
		isVoice: new Uint8Array(hops),
	};
	assert.deepEqual(findFillers(sceneOf({ raw: music, denoised: music })), []);
});

/** The kinds of edits found in a talk, of all kinds but long silences. */
async function kindsIn(talk: SyntheticTalk): Promise<string[]> {
	return (await editsIn(talk, EVERYTHING)).map(({ kind }) => kind);
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
	'a plain word': (talk) => talk.word('i', 'a').pause(0.4).word('u', 'e', 'i'),
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

await test('a sound that falls is a filler if it takes its time, and otherwise perhaps a word', async () => {
	const fallingFor = async (seconds: number) =>
		await kindsIn(talkAround((it) => it.pause(0.3).filler(seconds, 'e', 120, 5).pause(0.3)));
	assert.deepEqual(await fallingFor(0.7), ['filler', 'filler']);
	assert.deepEqual(await fallingFor(0.42), []);
});

await test('keeps a recording that is a single held sound', async () => {
	const vowel = Float32Array.from({ length: 8_000 }, (_, i) =>
		[1, 2, 3, 4, 5].reduce(
			(sum, n) => sum + (0.1 / n) * Math.sin((2 * Math.PI * 120 * n * i) / 16_000),
			0,
		),
	);
	const pcm = await pcmOf(vowel, join(folder.path, 'vowel'));
	const tracks = [await searched(pcm, folder.path)];
	assert.deepEqual(await findEdits(configOf(EVERYTHING), tracks), []);
});
