import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { measureFeatures } from '../engine/detection/featureMaker.mts';
import { newFeatures } from '../engine/detection/features.mts';
import { featuresOf, USUAL_FEATURES } from '../engine/recordingFeatures.mts';
import { SILENCE_DB } from '../engine/signal/levels.mts';
import { endThreads, startThreads, THREADS } from '../engine/threads/engineThreads.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { noise, pcmOf, speech, SPEECH_RATE_HZ } from '../../testkit/service/signals.mts';

const FORMAT = { sampleRateHz: SPEECH_RATE_HZ, channels: 1 };

await test('a caller and its threads, one fewer than work, find together what one finds alone', async () => {
	await using folder = await temporaryFolder();
	const sound = noise(150 * SPEECH_RATE_HZ, 0.1);
	const pcm = await pcmOf(sound, join(folder.path, 'in'), FORMAT);
	assert.equal(startThreads().pool.threads.length, Math.max(1, THREADS - 1));
	const together = await featuresOf(pcm, USUAL_FEATURES);
	await endThreads();
	const features = newFeatures(together.hops);
	const hops = { start: 0, end: features.hops };
	await measureFeatures({ pcm, hops, needs: USUAL_FEATURES, features });
	assert.deepEqual(together, features);
});

await test('what stutters and mouth sounds alone need is measured only for them, and changes nothing else', async () => {
	await using folder = await temporaryFolder();
	const input = await pcmOf(await speech(5), join(folder.path, 'in'), FORMAT);
	const all = await featuresOf(input, { edges: true, voices: true });
	const usual = await featuresOf(input, USUAL_FEATURES);
	await endThreads();
	assert.ok(all.isVoice.includes(1));
	assert.ok(all.edges.some((level) => level > SILENCE_DB));
	assert.ok(all.peaks.some((level) => level > SILENCE_DB));
	assert.ok(!usual.isVoice.includes(1));
	assert.ok(usual.edges.every((level) => level === SILENCE_DB));
	assert.deepEqual({ ...usual, isVoice: all.isVoice, edges: all.edges, peaks: all.peaks }, all);
});
