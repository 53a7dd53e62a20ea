import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { sceneOf } from '../engine/detection/scene.mts';
import { featuresOf, USUAL_FEATURES } from '../engine/recordingFeatures.mts';
import { endThreads } from '../engine/threads/engineThreads.mts';
import { fillersAndAnswers, withoutAnswers } from '../engine/voice/answers.mts';
import { decodeSpeech, SPEECH_FORMAT } from '../media/decode.mts';
import { openPcm } from '../media/pcmFile.mts';
import { probe } from '../media/probe.mts';
import type { EditKind, TimelineEdit } from '../shared/timeRanges.mts';
import { SPEECH_RATE_HZ } from '../text/speech/speech.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';

const RECORDING = join(import.meta.dirname, '../../testkit/media/spoken.mp3');

/** A recording in which half a second of itself is said again, at another speed, after some of it. */
async function withSound(folder: string, fromSeconds: number, speed: number, channels = 1) {
	const spokenPath = join(folder, 'spoken.raw');
	const source = { ...(await probe(RECORDING)), path: RECORDING, limitSeconds: 600 };
	await decodeSpeech(source, spokenPath);
	const bytes = await readFile(spokenPath);
	const spoken = new Int16Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 2));
	const sound = Int16Array.from({ length: 0.5 * SPEECH_RATE_HZ }, (_, at) => {
		const place = fromSeconds * SPEECH_RATE_HZ + at * speed;
		const [one, next] = spoken.subarray(Math.floor(place));
		return one + (next - one) * (place % 1);
	});
	const middle = Math.floor(spoken.length / 2);
	const pause = new Int16Array(0.3 * SPEECH_RATE_HZ);
	const parts = [spoken.subarray(0, middle), pause, sound, pause, spoken.subarray(middle)];
	const samples = parts.flatMap((part) => [...part]);
	const path = join(folder, 'recording.raw');
	const frames = samples.flatMap((sample) => Array.from({ length: channels }, () => sample));
	await writeFile(path, Int16Array.from(frames));
	const startSeconds = (middle + pause.length) / SPEECH_RATE_HZ;
	const input = await openPcm(path, { ...SPEECH_FORMAT, channels });
	return { input, startSeconds, endSeconds: startSeconds + 0.5 };
}

/** Which edits at the sound are left. */
async function kindsLeft(
	{ input, ...place }: Awaited<ReturnType<typeof withSound>>,
	...kinds: EditKind[]
) {
	const features = await featuresOf(input, USUAL_FEATURES);
	const scene = sceneOf({ raw: features, denoised: features });
	const edits = kinds.map((kind): TimelineEdit => ({ kind, ...place, sure: 1 }));
	const left = await withoutAnswers(edits, scene, input);
	await endThreads();
	return left.map(({ kind }) => kind);
}

/** What a filler is taken for that a recognizer wrote in a sentence, and as a sentence. */
async function takenFor({ input, ...place }: Awaited<ReturnType<typeof withSound>>) {
	const features = await featuresOf(input, USUAL_FEATURES);
	const scene = sceneOf({ raw: features, denoised: features });
	const filler: TimelineEdit = { kind: 'filler', ...place, sure: 1 };
	const spoken = { within: [filler], alone: [{ ...filler, sure: 0 }] };
	const { fillers, answers } = await fillersAndAnswers(spoken, scene, input);
	await endThreads();
	return { fillers: fillers.map(({ sure }) => sure), answers: answers.map(({ sure }) => sure) };
}

await test('takes a filler that is written as a sentence for an answer if another voice says it', async () => {
	await using folder = await temporaryFolder();
	const own = await withSound(folder.path, 21.7, 1);
	assert.deepEqual(await takenFor(own), { fillers: [1, 0], answers: [] });
	const other = await withSound(folder.path, 21.7, 0.6);
	assert.deepEqual(await takenFor(other), { fillers: [1], answers: [0] });
	const tone = await toneAlone(folder.path);
	assert.deepEqual(await takenFor(tone), { fillers: [1], answers: [0] });
	// What a recognizer writes may be as short as it likes, and beyond the end.
	for (const startSeconds of [0.5, 2.999, 5]) {
		const short = { ...own, startSeconds, endSeconds: startSeconds + 0.003 };
		assert.deepEqual(await takenFor(short), { fillers: [1], answers: [0] });
		const late = { ...tone, startSeconds, endSeconds: 9 };
		assert.deepEqual(await takenFor(late), { fillers: [1], answers: [0] });
	}
});

await test('cuts a filler in the voice of the sentences around it, and keeps that of a deeper voice', async () => {
	await using folder = await temporaryFolder();
	for (const fromSeconds of [21.7, 35.5, 49.3]) {
		const own = await withSound(folder.path, fromSeconds, 1);
		assert.deepEqual(await kindsLeft(own, 'filler', 'hesitation'), ['filler', 'hesitation']);
		const other = await withSound(folder.path, fromSeconds, 0.6);
		assert.deepEqual(await kindsLeft(other, 'filler', 'hesitation', 'breath'), ['breath']);
	}
});

await test('hears all channels of a recording', async () => {
	await using folder = await temporaryFolder();
	const own = await withSound(folder.path, 35.5, 1, 2);
	assert.deepEqual(await kindsLeft(own, 'filler'), ['filler']);
	const other = await withSound(folder.path, 35.5, 0.6, 2);
	assert.deepEqual(await kindsLeft(other, 'filler'), []);
});

/** A second of a tone with nothing around it. */
async function toneAlone(folder: string) {
	const path = join(folder, 'alone.raw');
	const tone = Int16Array.from({ length: 3 * SPEECH_RATE_HZ }, (_, at) =>
		at < SPEECH_RATE_HZ || at > 2 * SPEECH_RATE_HZ ? 0 : 6_000 * Math.sin(at / 20),
	);
	await writeFile(path, tone);
	return { input: await openPcm(path, SPEECH_FORMAT), startSeconds: 1, endSeconds: 2 };
}

await test('cuts a filler where nothing else is said', async () => {
	await using folder = await temporaryFolder();
	assert.deepEqual(await kindsLeft(await toneAlone(folder.path), 'filler'), ['filler']);
});
