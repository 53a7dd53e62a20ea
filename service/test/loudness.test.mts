import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

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
import { assertNear } from './support/assertNear.mts';
import { loudnessLufs, truePeakDb } from '../../testkit/service/media.mts';
import { talk } from '../../testkit/service/recordings.mts';
import { noise, pcmOf, scaled, speech, together } from '../../testkit/service/signals.mts';
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
	const [ofOther = ''] = loudnessNotes([leveled], -6.149_937_250_64);
	assert.match(ofOther, / LUFS instead of -6.1: /, 'as loud as a recording that was measured');
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
