import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { SignalFeatures } from '../../service/engine/detection/features.mts';
import { findFillers } from '../../service/engine/detection/fillers.mts';
import { MEL_BANDS } from '../../service/engine/detection/melSpectrum.mts';
import { sceneOf } from '../../service/engine/detection/scene.mts';
import { resolveEditConfig, type EditConfig } from '../../service/shared/contract.mts';
import { findEdits } from '../../service/engine/findEdits.mts';
import { assertNear } from './support/assertNear.mts';
import { SyntheticTalk } from './support/syntheticTalk.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';
import type { EditKind, TimelineEdit } from '../../service/shared/timeRanges.mts';

await using folder = await temporaryFolder();

/** Words first and last, so that there is a voice to compare with. */
function talkWith(add: (talk: SyntheticTalk) => SyntheticTalk): SyntheticTalk {
	const talk = new SyntheticTalk().sentence().pause(0.4).sentence().pause(0.3);
	return add(talk).pause(0.3).sentence().pause(0.5).sentence();
}

/** When what is added begins in `talkWith`. */
const START_SECONDS = new SyntheticTalk().sentence().pause(0.4).sentence().pause(0.3).seconds;

async function editsIn(talk: SyntheticTalk, wishes: EditConfig): Promise<TimelineEdit[]> {
	return await findEdits(configOf(wishes), [await talk.track(folder.path)]);
}

/** Nothing is denoised but for the search. */
function configOf(wishes: EditConfig) {
	return resolveEditConfig({ remove_noise: false, ...wishes });
}

const SOUNDS: readonly [EditKind, EditConfig, (talk: SyntheticTalk) => SyntheticTalk][] = [
	['breath', { breath: true }, (talk) => talk.breath(-18)],
	['mouth_sound', { mouth_sounds: true }, (talk) => talk.click()],
	['filler', { fillers: true }, (talk) => talk.filler(0.5)],
	['hesitation', { hesitations: true }, (talk) => talk.filler(0.2)],
];

for (const [kind, wishes, add] of SOUNDS) {
	await test(`a ${kind} is found where it is, and no word is taken for one`, async () => {
		const edits = await editsIn(talkWith(add), wishes);
		const length = add(new SyntheticTalk()).seconds;
		assert.deepEqual(
			edits.map((edit) => edit.kind),
			[kind],
		);
		assertNear(edits[0].startSeconds, START_SECONDS, 0.06, 'start');
		assertNear(edits[0].endSeconds, START_SECONDS + length, 0.06, 'end');
		assert.ok(edits[0].sure >= 0 && edits[0].sure <= 1);
	});
	await test(`a ${kind} stays when it is not asked for`, async () => {
		assert.deepEqual(await editsIn(talkWith(add), { breath: false, stutters: true }), []);
	});
}

await test('is less sure of a breath that is almost as loud as speech', async () => {
	const sureAt = async (levelDb: number) => {
		const edits = await editsIn(
			talkWith((talk) => talk.breath(levelDb)),
			{ breath: true },
		);
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
	const edits = await editsIn(talk.word('a', 'u', 'i', 'e').pause(0.5).sentence(), {
		stutters: true,
	});
	assert.deepEqual(
		edits.map((edit) => edit.kind),
		['stutter'],
	);
	assertNear(edits[0].startSeconds, START_SECONDS, 0.06, 'start');
	assertNear(
		edits[0].endSeconds,
		START_SECONDS + stuttered(new SyntheticTalk()).seconds,
		0.06,
		'end',
	);
});

await test('a sound that moves too far for a filler is one where a recogniser heard "um"', async () => {
	const talk = talkWith((it) => it.slowGlide(0.6, 'a', 'schwa'));
	const tracks = [await talk.track(folder.path)];
	const config = configOf({ fillers: true });
	const heardAs = async (text: string) => {
		const word = { text, startSeconds: START_SECONDS - 0.1, endSeconds: START_SECONDS + 0.5 };
		const heard = { words: [word], language: 'en', areTimesExact: false };
		return await findEdits(config, tracks, { heard });
	};
	assert.deepEqual(await findEdits(config, tracks), []);
	assert.deepEqual(await heardAs('whoa'), []);
	const [filler] = await heardAs('um,');
	assertNear(filler.startSeconds, START_SECONDS, 0.06, 'start');
	assertNear(filler.endSeconds, START_SECONDS + 0.6, 0.06, 'end');
});

await test('an "uh" is cut, and the same from a higher voice is an answer and stays', async () => {
	const saidAt = async (pitchHz: number) => {
		const talk = talkWith((it) => it.filler(0.6, 'schwa', pitchHz));
		return (await editsIn(talk, { fillers: true })).map(({ kind }) => kind);
	};
	assert.deepEqual(await saidAt(125), ['filler']);
	assert.deepEqual(await saidAt(190), []);
});

await test('plain words lose nothing to any detector', async () => {
	const everything = { fillers: true, hesitations: true, stutters: true, mouth_sounds: true };
	const edits = await editsIn(
		talkWith((talk) => talk.word('i', 'a').pause(0.4).word('u', 'e', 'i')),
		{ ...everything, breath: true, long_silences: true },
	);
	assert.deepEqual(edits, []);
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
	const found = {
		all: await starts(true),
		legacy: await starts('legacy'),
		natural: await starts('natural'),
	};
	const holds = (seconds: readonly number[], at: number) =>
		seconds.some((s) => Math.abs(s - at) < 0.08);
	for (const at of [loudAt, softAt, touchingAt]) assert.ok(holds(found.all, at), `all: ${at}`);
	assert.ok(holds(found.legacy, loudAt) && !holds(found.legacy, touchingAt), 'legacy');
	assert.ok(holds(found.natural, loudAt) && !holds(found.natural, softAt), 'natural');
	assert.ok(found.legacy.length < found.all.length && found.natural.length < found.all.length);
});

await test('on two tracks nothing is cut while the other speaks', async () => {
	const one = talkWith((talk) => talk.breath(-18).pause(1.5).breath(-18));
	const other = new SyntheticTalk()
		.sentence()
		.pause(START_SECONDS - new SyntheticTalk().sentence().seconds - 0.2);
	other.sentence().pause(3).sentence();
	const tracks = [await one.track(folder.path), await other.track(folder.path)];
	const config = configOf({ breath: true });
	const alone = await findEdits(config, [tracks[0]]);
	const together = await findEdits(config, tracks);
	assert.equal(alone.length, 2);
	assert.equal(together.length, 1);
	assertNear(together[0].startSeconds, alone[1].startSeconds, 0.02, 'start');
});

await test('nothing is found where nobody speaks', async () => {
	const everything = { fillers: true, hesitations: true, stutters: true, mouth_sounds: true };
	for (const seconds of [0, 0.005, 3]) {
		const talk = new SyntheticTalk().pause(seconds);
		const wishes = { ...everything, breath: true, long_silences: true };
		assert.deepEqual(await editsIn(talk, wishes), [], `${seconds} s`);
	}
});

await test('searches an hour of music without a pause', () => {
	const hops = 360_000;
	const levels = new Float32Array(hops).fill(-20);
	const music: SignalFeatures = {
		...{ hops, levels, edges: levels, peaks: levels, pitchHz: levels },
		mel: new Uint8Array(hops * MEL_BANDS).fill(100),
		voicing: new Uint8Array(hops),
		isVoice: new Uint8Array(hops),
	};
	assert.deepEqual(findFillers(sceneOf({ raw: music, denoised: music })), []);
});
