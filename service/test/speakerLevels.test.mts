import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { atSpeed, fromDb, toDb } from '../../testkit/media/signals.mts';
import { loudnessLufs, truePeakDb } from '../../testkit/service/media.mts';
import { noise, pcmOf, rms, speech, SPEECH_RATE_HZ } from '../../testkit/service/signals.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { normalizeLoudness } from '../engine/level/normalizeLoudness.mts';
import { runFfmpeg } from '../media/ffmpeg/runFfmpeg.mts';
import { pcmInputArguments, pcmSourceOf, readFrames, type PcmFile } from '../media/pcmFile.mts';
import type { TimeRange } from '../shared/timeRanges.mts';
import { assertNear } from './support/assertNear.mts';

await using temporary = await temporaryFolder();
const folder = temporary.path;

const GOAL = { targetLufs: -16, gateLufs: -120, ceilingDbtp: -1.3 };

/** Loudness and true peak by ffmpeg's meter. */
async function measured(pcm: PcmFile) {
	const path = join(folder, 'measured.wav');
	await runFfmpeg([...pcmInputArguments(pcm), '-c:a', 'pcm_f32le', path]);
	const wav = await readFile(path);
	return { lufs: await loudnessLufs(wav), truePeakDb: await truePeakDb(wav) };
}

/** Low enough for the limiter to have nothing to do. */
const LOW_LUFS = -28;
const TURN_SECONDS = 10;
const TURN_SAMPLES = TURN_SECONDS * SPEECH_RATE_HZ;
const spoken = await speech(6 * TURN_SECONDS);
/** Faster, and so higher: the voice of somebody with a shorter throat. */
const other = atSpeed(spoken.slice(2 * TURN_SAMPLES), 1.4);

/** Four turns in a quiet room, each at its level against the first, dB: of two people, or of one. */
function turnsAt(levelsDb: readonly number[], people: 1 | 2 = 2, noiseRms = 0.0001): Float32Array {
	const room = noise(4 * TURN_SAMPLES, noiseRms);
	return room.map((sample, i) => {
		const turn = Math.floor(i / TURN_SAMPLES);
		const voice = turn % people === 1 ? other : spoken;
		// Each voice goes on where it stopped.
		const place = people === 1 ? i : i - TURN_SAMPLES * Math.ceil(turn / 2);
		return sample + voice[place] * fromDb(levelsDb[turn]);
	});
}

/** How loud each turn is, dB, and the whole samples; with music in it, if any. */
async function normalized(
	samples: Float32Array,
	music: readonly TimeRange[] | null = [],
	targetLufs = LOW_LUFS,
) {
	const pcm = await pcmOf(samples, join(folder, 'in'));
	const turns = music && { findMusic: () => Promise.resolve([...music]), workFolder: folder };
	const goal = { ...GOAL, targetLufs, ...(turns && { turns }) };
	const leveled = await normalizeLoudness(pcmSourceOf(pcm), goal);
	const after = await readFrames(leveled, 0, leveled.frames);
	const gainsDb = [0, 1, 2, 3].map((turn) => {
		const [start, end] = [turn * TURN_SAMPLES, (turn + 1) * TURN_SAMPLES];
		return toDb(rms(after.subarray(start, end)) / rms(samples.subarray(start, end)));
	});
	return { after, gainsDb, notes: leveled.notes ?? [] };
}

for (const apartDb of [8, 12, 18]) {
	await test(`brings two speakers ${apartDb} dB apart on one track within 3 dB`, async () => {
		const { gainsDb } = await normalized(turnsAt([0, -apartDb, 0, -apartDb]));
		const raisedDb = (gainsDb[1] + gainsDb[3] - gainsDb[0] - gainsDb[2]) / 2;
		assert.ok(Math.abs(apartDb - raisedDb) <= 3, `raised by ${raisedDb} dB`);
		// Where they take turns without a pause, a word or two may go to the other.
		assertNear(gainsDb[1], gainsDb[3], 1, 'dB, one gain for one speaker');
	});
}

await test('raises a speaker less where noise would become too loud, and says so', async () => {
	const clear = await normalized(turnsAt([0, -18, 0, -18]));
	assert.deepEqual(clear.notes, []);
	const { gainsDb, notes } = await normalized(turnsAt([0, -18, 0, -18], 2, 0.002));
	const raisedDb = gainsDb[1] - gainsDb[0];
	assert.ok(raisedDb < 12, `raised by ${raisedDb} dB`);
	assert.equal(notes.length, 1);
	assert.match(notes[0], /^a softer speaker was raised by \d+ dB instead of 1\d dB: /);
});

await test('reaches the target loudness with a voice raised, and peaks below -1 dBTP', async () => {
	const { after } = await normalized(turnsAt([0, -15, 0, -15]), [], -16);
	const reached = await measured(await pcmOf(after, join(folder, 'out')));
	assertNear(reached.lufs, -16, 0.5, 'LUFS');
	assert.ok(reached.truePeakDb <= -1, `${reached.truePeakDb} dBTP`);
});

/** The level of each hop, and its gain, dB. */
async function hopGains(given: Float32Array): Promise<{ gains: number[]; levels: number[] }> {
	const { after } = await normalized(given);
	const hop = SPEECH_RATE_HZ / 100;
	const [gains, levels]: [number[], number[]] = [[], []];
	for (let start = 0; start < given.length; start += hop) {
		const level = rms(given.subarray(start, start + hop));
		levels.push(level);
		gains.push(toDb(rms(after.subarray(start, start + hop)) / level));
	}
	return { gains, levels };
}

await test('changes gains in pauses only', async () => {
	const given = turnsAt([0, -12, 0, -12]);
	// They take turns within 0.1 s, as people do.
	const pause = noise(SPEECH_RATE_HZ / 10, 0.0001);
	for (const turn of [1, 2, 3]) given.set(pause, turn * TURN_SAMPLES);
	const { gains, levels } = await hopGains(given);
	const loudest = Math.max(...levels);
	const changes = gains.flatMap((gain, i) =>
		Math.abs(gain - (gains[i - 1] ?? gain)) > 0.1 ? i : [],
	);
	assert.ok(changes.length > 0, 'no gain changes');
	// The room of this recording is 28 dB below its loudest sounds.
	for (const i of changes) assert.ok(levels[i] < loudest * fromDb(-25), `change in a word: ${i}`);
});

await test('raises the room by at most 6 dB within turns, and not at all between them', async () => {
	const given = turnsAt([0, -18, 0, -18]);
	const second = TURN_SAMPLES + 2 * SPEECH_RATE_HZ;
	// A pause within the second turn, and one after it.
	const pauses = [second, 2 * TURN_SAMPLES - SPEECH_RATE_HZ];
	const room = noise(SPEECH_RATE_HZ, 0.0001);
	for (const start of pauses) given.set(room, start);
	const { gains } = await hopGains(given);
	const hostDb = gains.toSorted((a, b) => a - b)[Math.floor(gains.length / 4)];
	const [within, between] = pauses.map((start) => {
		const middle = Math.floor((start + SPEECH_RATE_HZ / 2) / (SPEECH_RATE_HZ / 100));
		return gains[middle] - hostDb;
	});
	assert.ok(within <= 6.1, `raised by ${within} dB within a turn`);
	assert.ok(Math.abs(between) <= 1, `raised by ${between} dB between turns`);
});

await test('leaves one speaker as before, however lively, and wherever in the room', async () => {
	const shouts = spoken.map((sample, i) => sample * (i % 80_000 < 13_000 ? 1 : 0.4));
	const levels = [
		[0, 0, 0, 0],
		[0, -5, 0, -5],
		[-1, 2, 0, -2],
		[0, -12, 0, -12],
	];
	for (const [index, samples] of [...levels.map((one) => turnsAt(one, 1)), shouts].entries()) {
		const now = (await normalized(samples)).after;
		const unleveled = (await normalized(samples, null)).after;
		// Not deepEqual: it would print a million samples.
		assert.ok(Buffer.from(now.buffer).equals(Buffer.from(unleveled.buffer)), `recording ${index}`);
	}
});

await test('leaves music as it is', async () => {
	const samples = turnsAt([0, -12, 0, -12]);
	const second = { startSeconds: TURN_SECONDS, endSeconds: 2 * TURN_SECONDS };
	const { gainsDb } = await normalized(samples, [second]);
	assert.ok(Math.abs(gainsDb[1] - gainsDb[0]) < 0.5, 'music is raised');
	assert.ok(gainsDb[3] - gainsDb[0] > 4, `the voice is raised by ${gainsDb[3] - gainsDb[0]} dB`);
});
