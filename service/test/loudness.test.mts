import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { fromDb, toDb } from '../../testkit/media/signals.mts';
import { profileOf } from '../engine/level/levelProfile.mts';
import { integratedLoudness } from '../engine/level/loudness.mts';
import { loudnessNotes, normalizeLoudness } from '../engine/level/normalizeLoudness.mts';
import { runFfmpeg } from '../media/ffmpeg/runFfmpeg.mts';
import {
	pcmInputArguments,
	pcmSourceOf,
	readFrames,
	writePcm,
	type PcmFile,
} from '../media/pcmFile.mts';
import type { EditConfig } from '../shared/contract.mts';
import type { TimeRange } from '../shared/timeRanges.mts';
import { assertNear } from './support/assertNear.mts';
import { loudnessLufs, truePeakDb } from '../../testkit/service/media.mts';
import { talk } from '../../testkit/service/recordings.mts';
import {
	noise,
	pcmOf,
	rms,
	scaled,
	speech,
	SPEECH_RATE_HZ,
	together,
} from '../../testkit/service/signals.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';

await using service = await startService(...QUICK);
const { ann } = service;

async function loudnessOf(config: EditConfig): Promise<number> {
	const { file } = await ann.finish(talk, { remove_noise: false, ...config });
	return await loudnessLufs(file);
}

const before = await loudnessLufs(talk);

for (const [what, config, target] of [
	['-16 without target_lufs', {}, -16],
	['a quieter target than the source, in MP3', { target_lufs: -30, export_format: 'mp3' }, -30],
	['-16 after cuts and noise reduction', { long_silences: true, remove_noise: true }, -16],
] satisfies [string, EditConfig, number][]) {
	await test(`normalizes to ${what}`, async () => {
		assert.ok(Math.abs(before - target) > 1, `the source has the target already: ${before}`);
		assertNear(await loudnessOf({ normalize: true, ...config }), target, 0.5, 'LUFS');
	});
}

// With a gate at 0 LUFS, nothing is loud enough to measure.
for (const config of [{}, { target_lufs: -20 }, { normalize: true, mute_lufs: 0 }]) {
	await test(`keeps the loudness with ${JSON.stringify(config)}`, async () => {
		assertNear(await loudnessOf(config), before, 0.1, 'LUFS');
	});
}

await using temporary = await temporaryFolder();
const folder = temporary.path;

const NO_GATE_LUFS = -120;
const GOAL = { targetLufs: -16, gateLufs: NO_GATE_LUFS, ceilingDbtp: -1.3 };
const voice = together(await speech(30), noise(30 * 16_000, 0.001));

/** Loudness and true peak by ffmpeg's meter. */
async function measured(pcm: PcmFile) {
	const path = join(folder, 'measured.wav');
	await runFfmpeg([...pcmInputArguments(pcm), '-c:a', 'pcm_f32le', path]);
	const wav = await readFile(path);
	return { lufs: await loudnessLufs(wav), truePeakDb: await truePeakDb(wav) };
}

for (const [sampleRateHz, channels] of [
	[48_000, 2],
	[44_100, 1],
	[16_000, 1],
	[48_000, 6],
] as const) {
	await test(`measures the same loudness as ffmpeg: ${channels} channels at ${sampleRateHz} Hz`, async () => {
		const samples = voice.slice(0, Math.floor(voice.length / channels) * channels);
		const pcm = await pcmOf(samples, join(folder, 'in'), { sampleRateHz, channels });
		const { energies } = await profileOf(pcmSourceOf(pcm));
		const lufs = integratedLoudness(energies, NO_GATE_LUFS) ?? 0;
		assertNear(lufs, (await measured(pcm)).lufs, 0.1, 'LUFS');
	});
}

for (const targetLufs of [-23, -16, -14, -12]) {
	await test(`reaches ${targetLufs} LUFS within 0.5 LU, with peaks below -1 dBTP`, async () => {
		const pcm = await pcmOf(scaled(voice, 0.2), join(folder, 'in'));
		const leveled = await normalizeLoudness(pcmSourceOf(pcm), { ...GOAL, targetLufs });
		assert.equal(leveled.frames, pcm.frames);
		const reached = await measured(await writePcm(leveled, join(folder, 'out')));
		assertNear(reached.lufs, targetLufs, 0.5, 'LUFS');
		assert.ok(reached.truePeakDb <= -1, `${reached.truePeakDb} dBTP`);
	});
}

await test('notes a target that the limiter cannot reach, with the approximate loudness', async () => {
	const pcm = await pcmOf(scaled(voice, 0.2), join(folder, 'in'));
	const leveled = await normalizeLoudness(pcmSourceOf(pcm), { ...GOAL, targetLufs: -6 });
	const [note = ''] = loudnessNotes([leveled], -6);
	const [, said = ''] = /^about (-[\d.]+) LUFS instead of -6: /.exec(note) ?? [];
	const reached = await measured(await writePcm(leveled, join(folder, 'out')));
	assert.ok(reached.lufs < -6.5, `${reached.lufs} LUFS`);
	assertNear(Number(said), reached.lufs, 0.5, note);
	const near = await normalizeLoudness(pcmSourceOf(pcm), GOAL);
	assert.deepEqual(loudnessNotes([near], -16), []);
});

await test('reads the same samples from a part of the leveled recording as from the whole', async () => {
	const pcm = await pcmOf(voice, join(folder, 'in'), { sampleRateHz: 48_000 });
	const leveled = await normalizeLoudness(pcmSourceOf(pcm), { ...GOAL, targetLufs: -10 });
	const whole = await readFrames(leveled, 0, leveled.frames);
	for (const start of [1, 100_000, leveled.frames - 70_000]) {
		const part = await readFrames(leveled, start, 70_000);
		part.forEach((sample, index) => {
			assert.ok(Math.abs(sample - whole[start + index]) < 1e-6, `frame ${start + index}`);
		});
	}
});

/** Low enough for the limiter to have nothing to do. */
const LOW_LUFS = -28;
const TURN_SECONDS = 10;
const TURN_SAMPLES = TURN_SECONDS * SPEECH_RATE_HZ;
const spoken = await speech(4 * TURN_SECONDS);

/** Four turns of speech in a quiet room, each at its level against the first, dB. */
function turnsAt(...levelsDb: readonly number[]): Float32Array {
	const room = noise(spoken.length, 0.0001);
	return spoken.map(
		(sample, i) => room[i] + sample * fromDb(levelsDb[Math.floor(i / TURN_SAMPLES)]),
	);
}

/** How loud each turn is, dB, and the whole samples; with music in it, if any. */
async function normalized(
	samples: Float32Array,
	music: readonly TimeRange[] | null = [],
	targetLufs = LOW_LUFS,
) {
	const pcm = await pcmOf(samples, join(folder, 'in'));
	const findMusic = music === null ? undefined : () => Promise.resolve([...music]);
	const leveled = await normalizeLoudness(pcmSourceOf(pcm), { ...GOAL, targetLufs, findMusic });
	const after = await readFrames(leveled, 0, leveled.frames);
	const gainsDb = [0, 1, 2, 3].map((turn) => {
		const [start, end] = [turn * TURN_SAMPLES, (turn + 1) * TURN_SAMPLES];
		return toDb(rms(after.subarray(start, end)) / rms(samples.subarray(start, end)));
	});
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
	const reached = await measured(await pcmOf(after, join(folder, 'out')));
	assertNear(reached.lufs, -16, 0.5, 'LUFS');
	assert.ok(reached.truePeakDb <= -1, `${reached.truePeakDb} dBTP`);
});

await test('changes gains in pauses only', async () => {
	const given = turnsAt(0, -12, 0, -12);
	const { after } = await normalized(given);
	const hop = SPEECH_RATE_HZ / 100;
	const [gains, levels]: [number[], number[]] = [[], []];
	for (let start = 0; start < given.length; start += hop) {
		const level = rms(given.subarray(start, start + hop));
		levels.push(level);
		gains.push(toDb(rms(after.subarray(start, start + hop)) / level));
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
		const unleveled = (await normalized(samples, null)).after;
		// Not deepEqual: it would print a million samples.
		assert.ok(Buffer.from(now.buffer).equals(Buffer.from(unleveled.buffer)), `recording ${index}`);
	}
});

await test('leaves music as it is', async () => {
	const samples = turnsAt(0, -12, 0, -12);
	const second = { startSeconds: TURN_SECONDS, endSeconds: 2 * TURN_SECONDS };
	const { gainsDb } = await normalized(samples, [second]);
	assert.ok(Math.abs(gainsDb[1] - gainsDb[0]) < 0.5, 'music is raised');
	assert.ok(gainsDb[3] - gainsDb[0] > 4, `the voice is raised by ${gainsDb[3] - gainsDb[0]} dB`);
});
