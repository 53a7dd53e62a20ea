import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { findEdits } from '../../service/engine/findEdits.mts';
import { reduceNoise } from '../../service/engine/denoise/reduceNoise.mts';
import { PcmReader } from '../../service/media/pcmFile.mts';
import { resolveEditConfig } from '../../service/shared/contract.mts';
import { noise, pcmOf } from './support/signals.mts';
import { searched } from './support/syntheticTalk.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';

await using temporary = await temporaryFolder();

for (const broken of [NaN, Infinity, -1e30]) {
	await test(`a single sample of ${broken} does not spoil the rest of a recording`, async () => {
		const sampleRateHz = 48_000;
		const samples = noise(3 * sampleRateHz, 0.1);
		samples[sampleRateHz] = broken;
		const input = await pcmOf(samples, join(temporary.path, 'in'), { sampleRateHz });
		const output = await reduceNoise(input, join(temporary.path, 'out'), 'full');
		await using reader = await PcmReader.open(output);
		const cleaned = await reader.read(0, output.frames);
		assert.ok(cleaned.every((sample) => Math.abs(sample) < 1));
		assert.ok(cleaned.subarray(2 * sampleRateHz).some((sample) => sample !== 0));
	});
}

await test('keeps a recording that is a single held sound', async () => {
	const vowel = Float32Array.from({ length: 8_000 }, (_, i) =>
		[1, 2, 3, 4, 5].reduce(
			(sum, n) => sum + (0.1 / n) * Math.sin((2 * Math.PI * 120 * n * i) / 16_000),
			0,
		),
	);
	const pcm = await pcmOf(vowel, join(temporary.path, 'vowel'));
	const config = resolveEditConfig({ fillers: true, hesitations: true });
	assert.deepEqual(await findEdits(config, [await searched(pcm, temporary.path)]), []);
});
