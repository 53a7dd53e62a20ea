import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { EditConfig } from '../../service/shared/contract.mts';
import { loudnessLufs, samplesOf } from './support/media.mts';
import { talk } from './support/recordings.mts';
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
	['-16 with target_lufs null', { normalize: true, target_lufs: null }, -16],
	['a target of -20', { normalize: true, target_lufs: -20 }, -20],
	['a target of -30, quieter than the source', { normalize: true, target_lufs: -30 }, -30],
	['-16 in MP3', { normalize: true, export_format: 'mp3' }, -16],
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

await test('does not clip at a loud target', async () => {
	const { file } = await ann.finish(talk, {
		...{ remove_noise: false, normalize: true, target_lufs: -6, export_format: 'wav' },
	});
	const peak = (await samplesOf(file)).reduce((top, sample) => Math.max(top, Math.abs(sample)), 0);
	assert.ok(peak < 0.95, `peak ${peak}`);
});

await test('ignores parts quieter than mute_lufs when measuring', async () => {
	// With this gate, nothing is loud enough to measure, so nothing changes.
	const reached = await loudnessOf({ normalize: true, mute_lufs: 0 });
	assert.ok(Math.abs(reached - before) <= 0.1, `${reached} LUFS instead of ${before}`);
});
