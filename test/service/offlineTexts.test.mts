import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { findFfmpeg } from '../../service/media/ffmpeg.mts';
import { extractiveWriter } from '../../service/text/extractiveWriter.mts';
import { findPocketsphinx } from '../../service/text/pocketsphinx.mts';
import { paragraphsOf } from '../../service/text/paragraphs.mts';
import { resultOf } from './support/client.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';
import { talk } from './support/recordings.mts';
import { QUICK, startService } from './support/testService.mts';

const execute = promisify(execFile);

const RECORDING = fileURLToPath(new URL('../../demo/recording.mp3', import.meta.url));

/**
 * The start of the demo's recording: "Hello, and welcome to the workshop radio", a pause…
 *
 * @param noise amplitude of added pink noise, 0 to 1.
 */
async function spokenWords(seconds: number, noise = 0): Promise<Buffer> {
	await using folder = await temporaryFolder();
	const path = join(folder.path, 'spoken.wav');
	const inputs = ['-i', RECORDING, '-f', 'lavfi', '-i', `anoisesrc=c=pink:a=${noise}:r=48000:s=1`];
	const mix = ['-filter_complex', 'amix=normalize=0', '-t', String(seconds), '-ac', '1', path];
	await execute(findFfmpeg().ffmpegPath, ['-v', 'error', ...inputs, ...mix]);
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
		'marks of the recogniser',
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

await test('fails before any work without a recogniser, and says what to install', async () => {
	await using folder = await temporaryFolder();
	const { ffmpegPath, ffprobePath } = findFfmpeg();
	await mkdir(join(folder.path, 'bin'));
	await symlink(ffmpegPath, join(folder.path, 'bin', 'ffmpeg'));
	await symlink(ffprobePath, join(folder.path, 'bin', 'ffprobe'));
	const path = process.env['PATH'];
	process.env['PATH'] = join(folder.path, 'bin');
	try {
		await using service = await startService(...QUICK);
		const edit = await service.ann.run(talk, { transcription: true });
		assert.equal(edit.status, 'FAILURE');
		const log = service.logOf(edit.task_id).join('\n');
		assert.match(log, /--transcription-url.*apt-get install pocketsphinx pocketsphinx-en-us/);
		assert.ok(!log.includes('CLASSIFICATION'));
		const plain = await service.ann.run(talk, { remove_noise: false });
		assert.equal(plain.status, 'SUCCESS');
	} finally {
		process.env['PATH'] = path;
	}
});

/** Sentences in sequence, four seconds each. */
function transcriptOf(sentences: readonly string[]) {
	const words = sentences.flatMap((sentence, index) =>
		sentence.split(' ').map((text, place, all) => ({
			text,
			startSeconds: index * 4 + (place * 3.8) / all.length,
			endSeconds: index * 4 + ((place + 1) * 3.8) / all.length,
		})),
	);
	return paragraphsOf([words]);
}

const HELP = {
	signal: new AbortController().signal,
	retried: <T,>(step: () => Promise<T>) => step(),
	say: () => undefined,
	takeTurn: () => Promise.resolve(),
};

const RAILWAY = [
	'The railway reached the valley.',
	'Every locomotive burned coal from the railway.',
];
const BREAD = [
	'Good bread needs flour and yeast.',
	'The baker kneads flour until the bread rises.',
];

await test('begins chapters where the topic changes and labels every extract', async () => {
	const about = (pair: string[], times: number) => Array<string[]>(times).fill(pair).flat();
	const paragraphs = transcriptOf([...about(RAILWAY, 30), ...about(BREAD, 30)]);
	const summary = await extractiveWriter.summarize(paragraphs, HELP);
	assert.equal(summary.chapters.length, 2);
	const [first, second] = summary.chapters;
	assert.equal(first.start, 0);
	assert.match(first.title, /railway/i);
	assert.ok(Math.abs(second.start - 240) <= 8, `the second chapter begins at ${second.start} s`);
	assert.match(second.title, /bread|flour/i);
	assert.equal(summary.summaries.length, 2);
	const posts = await extractiveWriter.writePosts(summary, HELP);
	for (const text of [summary.summary, summary.summary_of_summary, ...Object.values(posts)]) {
		assert.match(text, /no language model wrote this/);
	}
	assert.match(summary.key_learnings, /^- .+\n- /);
	assert.match(posts.newsletter, /^# /);
	const tweets = [...posts.twitter_thread.matchAll(/<tweet>([^<]*)<\/tweet>/g)];
	assert.ok(tweets.length >= 3);
	assert.ok(tweets.every(([, text]) => text.length <= 280));
});

await test('says that nothing was recognised when there is no speech', async () => {
	const summary = await extractiveWriter.summarize([], HELP);
	assert.match(summary.summary, /^Nothing was recognised as speech/);
	assert.deepEqual([summary.chapters, summary.summaries], [[], []]);
});

await test('splits paragraphs at speakers, pauses and sentence ends', () => {
	const said = (text: string, startSeconds: number) => ({
		...{ text, startSeconds, endSeconds: startSeconds + 0.3 },
	});
	const long = Array.from({ length: 80 }, (_, index) =>
		said(index % 10 === 9 ? 'end.' : 'word', 10 + index * 0.4),
	);
	const paragraphs = paragraphsOf([
		[said('One', 0), said('two', 0.4), said('later', 5)],
		[said('Mhm', 0.2), ...long],
	]);
	assert.deepEqual(
		paragraphs.map(({ speaker, words }) => [speaker, words.length]),
		[
			['SPEAKER_00', 2],
			['SPEAKER_01', 1],
			['SPEAKER_00', 1],
			['SPEAKER_01', 60],
			['SPEAKER_01', 20],
		],
	);
});
