import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { fromDb } from '../../bench/eval/signals.mts';
import { newFeatures } from '../../service/engine/detection/features.mts';
import { findLongSilences } from '../../service/engine/detection/longSilences.mts';
import { type Scene, sceneOf } from '../../service/engine/detection/scene.mts';
import { normalizeLoudness } from '../../service/engine/level/normalizeLoudness.mts';
import { pcmInputArguments, pcmSourceOf, readFrames } from '../../service/media/pcmFile.mts';
import { runFfmpeg } from '../../service/media/ffmpeg/runFfmpeg.mts';
import { DEFAULT_EDIT_LIMITS } from '../../service/shared/editLimits.mts';
import type { TimeRange } from '../../service/shared/timeRanges.mts';
import { loudnessLufs, truePeakDb } from './support/media.mts';
import * as signals from './support/signals.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';

await using folder = await temporaryFolder();

/** Low enough for the limiter to have nothing to do. */
const LOW_LUFS = -28;
const TURN_SECONDS = 10;
const TURN_SAMPLES = TURN_SECONDS * signals.SPEECH_RATE_HZ;
const spoken = await signals.speech(4 * TURN_SECONDS);

/** Four turns of speech in a quiet room, each at its level against the first, dB. */
function turnsAt(...levelsDb: readonly number[]): Float32Array {
	const room = signals.noise(spoken.length, 0.0001);
	return spoken.map(
		(sample, i) => room[i] + sample * fromDb(levelsDb[Math.floor(i / TURN_SAMPLES)]),
	);
}

function turnOf(samples: Float32Array, turn: number): Float32Array {
	return samples.subarray(turn * TURN_SAMPLES, (turn + 1) * TURN_SAMPLES);
}

/** How loud each turn is, dB, and the whole samples; with music in it, if any. */
async function normalized(
	samples: Float32Array,
	music: readonly TimeRange[] | null = [],
	targetLufs = LOW_LUFS,
) {
	const pcm = await signals.pcmOf(samples, join(folder.path, 'in.f32'));
	const findMusic = music === null ? undefined : () => Promise.resolve([...music]);
	const goal = { targetLufs, gateLufs: -120, ceilingDbtp: -1.3, findMusic };
	const levelled = await normalizeLoudness(pcmSourceOf(pcm), goal);
	const after = await readFrames(levelled, 0, levelled.frames);
	const gainsDb = [0, 1, 2, 3].map(
		(turn) =>
			20 * Math.log10(signals.rms(turnOf(after, turn)) / signals.rms(turnOf(samples, turn))),
	);
	return { after, gainsDb };
}

for (const [apartDb, leftDb] of [
	[12, 6],
	[18, 7],
] as const) {
	await test(`brings two voices ${apartDb} dB apart on one track near each other`, async () => {
		const { gainsDb } = await normalized(turnsAt(0, -apartDb, 0, -apartDb));
		const raisedDb = (gainsDb[1] + gainsDb[3] - gainsDb[0] - gainsDb[2]) / 2;
		assert.ok(apartDb - raisedDb <= leftDb && raisedDb <= 12.1, `raised by ${raisedDb} dB`);
	});
}

await test('reaches the target loudness with a voice raised, and peaks below -1 dBTP', async () => {
	const { after } = await normalized(turnsAt(0, -15, 0, -15), [], -16);
	const pcm = await signals.pcmOf(after, join(folder.path, 'after.f32'));
	const path = join(folder.path, 'after.wav');
	await runFfmpeg([...pcmInputArguments(pcm), '-c:a', 'pcm_f32le', path]);
	const wav = await readFile(path);
	const reached = await loudnessLufs(wav);
	assert.ok(Math.abs(reached + 16) <= 0.5, `${reached} LUFS`);
	assert.ok((await truePeakDb(wav)) <= -1);
});

await test('changes gains in pauses only', async () => {
	const before = turnsAt(0, -12, 0, -12);
	const { after } = await normalized(before);
	const hop = signals.SPEECH_RATE_HZ / 100;
	const [gains, levels]: [number[], number[]] = [[], []];
	for (let start = 0; start < before.length; start += hop) {
		const level = signals.rms(before.subarray(start, start + hop));
		levels.push(level);
		gains.push(20 * Math.log10(signals.rms(after.subarray(start, start + hop)) / level));
	}
	const loudest = Math.max(...levels);
	const changes = gains.flatMap((gain, i) =>
		Math.abs(gain - (gains[i - 1] ?? gain)) > 0.1 ? i : [],
	);
	assert.ok(changes.length > 0, 'no gain changes');
	for (const i of changes) assert.ok(levels[i] < loudest * fromDb(-40), `change in a word: ${i}`);
});

await test('leaves one speaker as before, however lively', async () => {
	const shouts = spoken.map((sample, i) => sample * (i % 80_000 < 13_000 ? 1 : 0.4));
	const lively = [turnsAt(0, 0, 0, 0), turnsAt(0, -5, 0, -5), turnsAt(-1, 2, 0, -2), shouts];
	for (const [index, samples] of lively.entries()) {
		const now = (await normalized(samples)).after;
		const before = (await normalized(samples, null)).after;
		// Not deepEqual: it would print a million samples.
		assert.ok(Buffer.from(now.buffer).equals(Buffer.from(before.buffer)), `recording ${index}`);
	}
});

await test('leaves music as it is', async () => {
	const samples = turnsAt(0, -12, 0, -12);
	const second = { startSeconds: TURN_SECONDS, endSeconds: 2 * TURN_SECONDS };
	const { gainsDb } = await normalized(samples, [second]);
	assert.ok(Math.abs(gainsDb[1] - gainsDb[0]) < 0.5, 'music is raised');
	assert.ok(gainsDb[3] - gainsDb[0] > 4, `the voice is raised by ${gainsDb[3] - gainsDb[0]} dB`);
});

/** Levels and voicing of a host, a fan 16 dB softer, and a guest in it from 16 to 17.5 s. */
function guestInFan(guestVoicing: number, guestExcessDb = 1) {
	const hops = 3_000;
	const at = <T,>(hop: number, host: T, guest: T, fan: T) => {
		if (hop < 1_400 && hop % 100 < 90) return host;
		return hop >= 1_600 && hop < 1_750 ? guest : fan;
	};
	const make = (host: number, guest: number, fan: number) =>
		Float32Array.from({ length: hops }, (_, hop) => at(hop, host, guest, fan));
	const voicing = Uint8Array.from(make(220, guestVoicing, 75));
	const isVoice = Uint8Array.from(make(1, 0, 0));
	const raw = { ...newFeatures(hops), levels: make(-20, -34, -36), isVoice };
	const denoised = { ...newFeatures(hops), levels: make(-20, -46, -56), voicing };
	return { ...sceneOf({ raw, denoised }), rawExcessDb: make(20, guestExcessDb, 1) };
}

/** Whether any of the guest is cut as silence. */
function losesGuest(scene: Scene, isBusy = new Uint8Array(scene.hops)): boolean {
	return findLongSilences(scene, isBusy, DEFAULT_EDIT_LIMITS).some(
		({ startSeconds, endSeconds }) => startSeconds < 17.4 && endSeconds > 16.1,
	);
}

await test('keeps a guest who is hardly louder than a fan, by the voice', () => {
	assert.equal(losesGuest(guestInFan(75)), true, 'without a voice it is noise');
	assert.equal(losesGuest(guestInFan(190)), false);
});

await test('keeps an unvoiced sound that stands out from a fan in some bands only', () => {
	assert.equal(losesGuest(guestInFan(75, 5)), false);
	const music = new Uint8Array(3_000).fill(1);
	assert.equal(losesGuest(guestInFan(75, 5), music), true, 'over music that says nothing');
});
