import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { featuresOf, USUAL_FEATURES } from '../engine/recordingFeatures.mts';
import { SILENCE_DB } from '../engine/signal/levels.mts';
import { endThreads } from '../engine/threads/engineThreads.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { pcmOf, speech, SPEECH_RATE_HZ } from '../../testkit/service/signals.mts';

await test('what stutters and mouth sounds alone need is measured only for them, and changes nothing else', async () => {
	await using folder = await temporaryFolder();
	const format = { sampleRateHz: SPEECH_RATE_HZ, channels: 1 };
	const input = await pcmOf(await speech(5), join(folder.path, 'in'), format);
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
