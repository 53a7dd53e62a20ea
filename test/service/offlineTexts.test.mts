import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { findFfmpeg } from '../../service/media/ffmpeg/ffmpeg.mts';
import { extractiveWriter } from '../../service/text/extractiveWriter.mts';
import { paragraphsOf } from '../../service/text/paragraphs.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';
import { talk } from './support/recordings.mts';
import { QUICK, startService } from './support/testService.mts';

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
	const { newsletter, twitter_thread: thread, linkedin } = posts;
	for (const text of [summary.summary, summary.summary_of_summary, newsletter, thread, linkedin]) {
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
