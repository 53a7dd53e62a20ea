import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { execa } from 'execa';

import { findFfmpeg } from '../../media/ffmpeg/ffmpeg.mts';
import { findPocketsphinx } from '../../text/speech/pocketsphinx.mts';
import { resultOf } from '../../../testkit/service/client.mts';
import { temporaryFolder } from '../../../testkit/process/temporaryFolder.mts';
import { QUICK, startService } from '../../../testkit/service/testService.mts';

const RECORDING = fileURLToPath(new URL('../../../testkit/media/spoken.mp3', import.meta.url));

/**
 * A synthetic voice: "Hello, and welcome to the workshop radio", a pause…
 *
 * @param noise amplitude of added pink noise, 0 to 1.
 */
async function spokenWords(seconds: number, noise = 0): Promise<Buffer> {
	await using folder = await temporaryFolder();
	const path = join(folder.path, 'spoken.wav');
	const inputs = ['-i', RECORDING, '-f', 'lavfi', '-i', `anoisesrc=c=pink:a=${noise}:r=48000:s=1`];
	const mix = ['-filter_complex', 'amix=normalize=0', '-t', String(seconds), '-ac', '1', path];
	await execa(findFfmpeg().ffmpegPath, ['-v', 'error', ...inputs, ...mix]);
	return await readFile(path);
}

await test('transcribes offline with pocketsphinx, with times of the edited file', async () => {
	assert.ok(findPocketsphinx(), 'apt-get install pocketsphinx pocketsphinx-en-us');
	await using service = await startService(...QUICK);
	const edit = await service.ann.run(await spokenWords(13), {
		summarize: true,
		long_silences: true,
	});
	const { transcription, summarization } = resultOf(edit);
	const words = transcription?.transcription?.words ?? [];
	assert.ok(words.some(({ text }) => text === 'workshop'));
	assert.ok(words.some(({ text }) => text === 'radio'));
	const times = words.flatMap(({ start = NaN, end = NaN }) => [start, end]);
	assert.deepEqual(
		times,
		times.toSorted((a, b) => a - b),
	);
	// In the source, the first word begins after a silence of 1.6 s, which was cut out.
	assert.ok(times[0] < 1 && (times.at(-1) ?? 0) < 11, 'a silence that was cut out still counts');
	assert.match(service.logOf(edit.task_id).join('\n'), /heard in the source/);
	assert.ok(
		words.every(({ text }) => /^[a-z'.-]+$/.test(text)),
		'marks of the recognizer',
	);
	assert.equal(transcription?.paragraphs[0].start, words[0].start);
	assert.match(summarization?.summary ?? '', /no language model wrote this/);
});

await test('hears a track with little noise in its source, and a noisy one in the edited file', async () => {
	await using service = await startService(...QUICK);
	const tracks = { 'quiet.wav': await spokenWords(13), 'noisy.wav': await spokenWords(13, 0.1) };
	const config = { transcription: true, long_silences: true } as const;
	const edit = await service.ann.runTracks(tracks, config);
	const log = service.logOf(edit.task_id).join('\n');
	const inSource = /heard in the source \(speech (\d+) dB above the noise\)/g;
	assert.equal([...log.matchAll(inSource)].length, 1, log);
	const { paragraphs = [] } = resultOf(edit).transcription?.transcription ?? {};
	for (const label of ['SPEAKER_00', 'SPEAKER_01']) {
		const first = paragraphs.find(({ speaker }) => speaker === label);
		assert.ok((first?.start ?? NaN) < 1, `${label} begins at ${first?.start} s`);
	}
});
