import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { profileOf } from '../../service/engine/level/levelProfile.mts';
import { integratedLoudness } from '../../service/engine/level/loudness.mts';
import { loudnessNotes, normalizeLoudness } from '../../service/engine/level/normalizeLoudness.mts';
import { runFfmpeg } from '../../service/media/ffmpeg/runFfmpeg.mts';
import {
	pcmInputArguments,
	pcmSourceOf,
	readFrames,
	writePcm,
	type PcmFile,
} from '../../service/media/pcmFile.mts';
import type { EditConfig } from '../../service/shared/contract.mts';
import { loudnessLufs, truePeakDb } from './support/media.mts';
import { talk } from './support/recordings.mts';
import { noise, pcmOf, scaled, speech, together } from './support/signals.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';
import { QUICK, startService } from './support/testService.mts';

await using service = await startService(...QUICK);
const { ann } = service;

/** Edits the talk and measures the result. */
async function loudnessOf(config: EditConfig): Promise<number> {
	const { file } = await ann.finish(talk, { remove_noise: false, ...config });
	return await loudnessLufs(file);
}

const before = await loudnessLufs(talk);

for (const [what, config, target] of [
	['-16 without target_lufs', { normalize: true }, -16],
	[
		'a target of -30, quieter than the source, in MP3',
		{ normalize: true, target_lufs: -30, export_format: 'mp3' },
		-30,
	],
	[
		'-16 after cuts and noise reduction',
		{ normalize: true, long_silences: true, remove_noise: true },
		-16,
	],
] satisfies [string, EditConfig, number][]) {
	await test(`normalizes to ${what}`, async () => {
		assert.ok(Math.abs(before - target) > 1, `the source has the target already: ${before}`);
		const reached = await loudnessOf(config);
		assert.ok(Math.abs(reached - target) <= 0.5, `${reached} LUFS instead of ${target}`);
	});
}

await test('keeps the loudness without normalize, whatever target_lufs says', async () => {
	assert.ok(Math.abs((await loudnessOf({})) - before) <= 0.1);
	assert.ok(Math.abs((await loudnessOf({ target_lufs: -20 })) - before) <= 0.1);
});

await test('ignores parts quieter than mute_lufs when measuring', async () => {
	// With this gate, nothing is loud enough to measure, so nothing changes.
	const reached = await loudnessOf({ normalize: true, mute_lufs: 0 });
	assert.ok(Math.abs(reached - before) <= 0.1, `${reached} LUFS instead of ${before}`);
});

await using temporary = await temporaryFolder();
const folder = temporary.path;

const NO_GATE_LUFS = -120;
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
		const expected = (await measured(pcm)).lufs;
		assert.ok(Math.abs(lufs - expected) <= 0.1, `${lufs} LUFS, ffmpeg says ${expected}`);
	});
}

for (const targetLufs of [-23, -16, -14, -12]) {
	await test(`reaches ${targetLufs} LUFS within 0.5 LU, with peaks below -1 dBTP`, async () => {
		const pcm = await pcmOf(scaled(voice, 0.2), join(folder, 'in'));
		const goal = { targetLufs, gateLufs: NO_GATE_LUFS, ceilingDbtp: -1.3 };
		const levelled = await normalizeLoudness(pcmSourceOf(pcm), goal);
		assert.equal(levelled.frames, pcm.frames);
		const reached = await measured(await writePcm(levelled, join(folder, 'out')));
		assert.ok(Math.abs(reached.lufs - targetLufs) <= 0.5, `${reached.lufs} LUFS`);
		assert.ok(reached.truePeakDb <= -1, `${reached.truePeakDb} dBTP`);
	});
}

await test('notes a target that the limiter cannot reach, with the approximate loudness', async () => {
	const pcm = await pcmOf(scaled(voice, 0.2), join(folder, 'in'));
	const goal = { targetLufs: -6, gateLufs: NO_GATE_LUFS, ceilingDbtp: -1.3 };
	const levelled = await normalizeLoudness(pcmSourceOf(pcm), goal);
	const [note = ''] = loudnessNotes([levelled], -6);
	const [, said = ''] = /^about (-[\d.]+) LUFS instead of -6: /.exec(note) ?? [];
	const reached = await measured(await writePcm(levelled, join(folder, 'out')));
	assert.ok(reached.lufs < -6.5, `${reached.lufs} LUFS`);
	assert.ok(Math.abs(Number(said) - reached.lufs) <= 0.5, `${note}; measured ${reached.lufs}`);
	const near = await normalizeLoudness(pcmSourceOf(pcm), { ...goal, targetLufs: -16 });
	assert.deepEqual(loudnessNotes([near], -16), []);
});

await test('reads the same samples from a part of the levelled recording as from the whole', async () => {
	const pcm = await pcmOf(voice, join(folder, 'in'), { sampleRateHz: 48_000 });
	const goal = { targetLufs: -10, gateLufs: NO_GATE_LUFS, ceilingDbtp: -1.3 };
	const levelled = await normalizeLoudness(pcmSourceOf(pcm), goal);
	const whole = await readFrames(levelled, 0, levelled.frames);
	for (const start of [1, 100_000, levelled.frames - 70_000]) {
		const part = await readFrames(levelled, start, 70_000);
		part.forEach((sample, index) => {
			assert.ok(Math.abs(sample - whole[start + index]) < 1e-6, `frame ${start + index}`);
		});
	}
});
