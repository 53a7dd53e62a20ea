import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { findFfmpeg } from '../media/ffmpeg/ffmpeg.mts';
import type { SpokenWord } from '../shared/timeRanges.mts';
import { extractiveWriter } from '../text/extractiveWriter.mts';
import { paragraphsOf, type Paragraph } from '../text/paragraphs.mts';
import { sentencesOf } from '../text/sentences.mts';
import { talk } from '../../testkit/service/recordings.mts';
import { TEXT_HELP } from '../../testkit/service/textHelp.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';
import { withVariables } from '../../testkit/process/variables.mts';

/** A word as the tests make it: its pause is the one before it, in hundredths of a second. */
type Plan = Readonly<{ text: string; pause: number }>;

function wordsOf(plans: readonly Plan[]): SpokenWord[] {
	let hundredths = 0;
	return plans.map(({ text, pause }) => {
		const start = hundredths + pause;
		hundredths = start + 25;
		return { text, startSeconds: start / 100, endSeconds: hundredths / 100 };
	});
}

/** Mostly short pauses, as in speech; of 2 s and more none, or some. */
function planOf(texts: readonly string[], maxPause: number): fc.Arbitrary<Plan> {
	const pause = fc.oneof(
		{ weight: 12, arbitrary: fc.nat(28) },
		{ weight: 1, arbitrary: fc.integer({ min: 30, max: maxPause }) },
	);
	return fc.record({ text: fc.constantFrom(...texts), pause });
}

const talkOf = (texts: readonly string[], maxPause = 190) =>
	fc.array(planOf(texts, maxPause), { maxLength: 700, size: 'max' }).map(wordsOf);

const BARE = ['so', 'they', 'said', 'it'];
const PUNCTUATED = [...Array<string>(12).fill('word'), 'Dr.', 'J.', 'end.', 'really?', '“no!”'];
const ENDS = new Set(['end.', 'really?', '“no!”']);

const lastOf = ({ words }: Paragraph) => words[words.length - 1];

/** The pause after a word, in hundredths of a second. */
function pauseAfter(words: readonly SpokenWord[], index: number): number {
	return Math.round((words[index + 1].startSeconds - words[index].endSeconds) * 100);
}

/** Every paragraph's first and last index among the words, except the last paragraph's. */
function bordersIn(words: readonly SpokenWord[]): Array<{ first: number; last: number }> {
	let next = 0;
	const paragraphs = paragraphsOf([words]).slice(0, -1);
	return paragraphs.map(({ words: { length } }) => {
		next += length;
		return { first: next - length, last: next - 1 };
	});
}

await test('keeps every word once, in order, and the times of every paragraph', () => {
	const property = (tracks: SpokenWord[][]) => {
		const paragraphs = paragraphsOf(tracks);
		tracks.forEach((words, index) => {
			const own = paragraphs.filter(({ speaker }) => speaker.endsWith(String(index)));
			const kept = own.flatMap((paragraph) => paragraph.words);
			assert.deepEqual(kept, words);
		});
		for (const one of paragraphs) {
			assert.equal(one.text, one.words.map(({ text }) => text).join(' '));
			assert.ok(one.startSeconds >= one.words[0].startSeconds);
			assert.ok(one.endSeconds >= lastOf(one).endSeconds);
			if (tracks.length > 1) continue;
			assert.equal(one.startSeconds, one.words[0].startSeconds);
			assert.equal(one.endSeconds, lastOf(one).endSeconds);
		}
		for (const [at, { startSeconds }] of paragraphs.slice(1).entries()) {
			assert.ok(startSeconds >= paragraphs[at].endSeconds, 'begins before the one before ended');
		}
	};
	const tracks = fc.array(talkOf([...PUNCTUATED, ...BARE], 900), { maxLength: 3 });
	fc.assert(fc.property(tracks, property), { numRuns: 60 });
});

await test('ends a paragraph when another speaker begins, and lets a sentence end that soon does', () => {
	const said = (text: string, startSeconds: number) =>
		text.split(' ').map((word, at) => {
			const start = startSeconds + at / 2;
			return { text: word, startSeconds: start, endSeconds: start + 0.5 };
		});
	const one = [...said('We went home early. Then it', 0), ...said('rained all night.', 6)];
	const turnsWith = (...other: SpokenWord[]) =>
		paragraphsOf([one, other]).map(({ text, track }) => `${track} ${text}`);
	assert.deepEqual(turnsWith(...said('Yes.', 0.7)), [
		'0 We went home early.',
		'1 Yes.',
		'0 Then it rained all night.',
	]);
	assert.deepEqual(turnsWith(...said('Really? Go on.', 3.6)), [
		'0 We went home early. Then it',
		'1 Really? Go on.',
		'0 rained all night.',
	]);
	assert.deepEqual(turnsWith(...said('Oh.', 6.7)), [
		'0 We went home early. Then it rained all night.',
		'1 Oh.',
	]);
});

await test('ends a paragraph inside a sentence only where 150 words hold no sentence end', () => {
	const property = (words: SpokenWord[]) => {
		for (const { first, last } of bordersIn(words)) {
			if (ENDS.has(words[last].text)) continue;
			const near = words.slice(first, first + 150);
			assert.ok(!near.some(({ text }) => ENDS.has(text)), `cut after word ${last}`);
		}
	};
	fc.assert(fc.property(talkOf(PUNCTUATED, 490), property), { numRuns: 100 });
	fc.assert(fc.property(talkOf([...BARE, ...BARE, ...PUNCTUATED]), property), { numRuns: 100 });
});

await test('without punctuation, ends paragraphs in the longest pause of 40 to 79 words', () => {
	const property = (words: SpokenWord[]) => {
		for (const { first, last } of bordersIn(words)) {
			const pause = pauseAfter(words, last);
			const length = last - first + 1;
			// Only a minute without a pause is divided at less.
			if (pause < 30) {
				for (let at = first; at < first + 150; at++) assert.ok(pauseAfter(words, at) < 30);
			}
			if (length < 40 || length > 79) {
				for (let at = first + 39; at < first + 79; at++) assert.ok(pauseAfter(words, at) < 30);
			} else {
				const last79 = Math.min(first + 78, words.length - 2);
				for (let at = first + 39; at <= last79; at++) {
					assert.ok(pauseAfter(words, at) <= pause, `${at} is a longer pause than ${last}`);
				}
			}
		}
	};
	fc.assert(fc.property(talkOf(BARE), property), { numRuns: 200 });
});

await test('a pause of 2 s ends a paragraph, and 5 s also inside a sentence', () => {
	const lengths = (plans: Plan[]) => paragraphsOf([wordsOf(plans)]).map((it) => it.words.length);
	const bare = (pause: number) => ({ text: 'so', pause });
	assert.deepEqual(lengths([bare(0), bare(199), bare(200), bare(10)]), [2, 2]);
	const ended = { text: 'end.', pause: 10 };
	assert.deepEqual(lengths([bare(0), bare(499), ended, bare(200), ended]), [3, 2]);
	assert.deepEqual(lengths([bare(0), bare(500), ended]), [1, 2]);
});

await test('a pause ends a sentence only where there is no punctuation', () => {
	const sentencesIn = (text: string) => {
		const words = text.split(' ').map((word) => ({ text: word, pause: word === 'said' ? 60 : 5 }));
		return sentencesOf(paragraphsOf([wordsOf(words)])).map((it) => it.text);
	};
	assert.deepEqual(sentencesIn('so they said it'), ['so they', 'said it']);
	assert.deepEqual(sentencesIn('So they said it.'), ['So they said it.']);
});

await test('fails before any work without a recognizer, and says how to get one', async () => {
	await using folder = await temporaryFolder();
	const { ffmpegPath, ffprobePath } = findFfmpeg();
	await symlink(ffmpegPath, join(folder.path, 'ffmpeg'));
	await symlink(ffprobePath, join(folder.path, 'ffprobe'));
	await withVariables({ PATH: folder.path }, async () => {
		await using service = await startService(...QUICK);
		const edit = await service.ann.run(talk, { transcription: true });
		assert.equal(edit.status, 'FAILURE');
		const log = service.logOf(edit.task_id).join('\n');
		assert.match(log, /get-model base.*--transcription-url/);
		assert.ok(!log.includes('CLASSIFICATION'));
		await service.ann.finish(talk, { remove_noise: false });
	});
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

const RAILWAY = [
	'The railway reached the valley.',
	'Every locomotive burned coal from the railway.',
];
const BREAD = [
	'Good bread needs flour and yeast.',
	'The baker kneads flour until the bread rises.',
];

await test('begins chapters where the topic changes, names them by time and labels every extract', async () => {
	const about = (pair: string[], times: number) => Array<string[]>(times).fill(pair).flat();
	const paragraphs = transcriptOf([...about(RAILWAY, 30), ...about(BREAD, 30)]);
	const summary = await extractiveWriter.summarize(paragraphs, TEXT_HELP);
	const [first, second, ...more] = summary.chapters;
	assert.deepEqual([first.start, first.title, more], [0, 'Part 1, from 0:00', []]);
	assert.ok(Math.abs(second.start - 240) <= 8, `the second chapter begins at ${second.start} s`);
	assert.match(second.title, /^Part 2, from [34]:\d\d$/);
	assert.equal(summary.summaries.length, 2);
	const {
		newsletter,
		twitter_thread: thread,
		linkedin,
	} = await extractiveWriter.writePosts(summary, TEXT_HELP);
	for (const text of [summary.summary, summary.summary_of_summary, newsletter, thread, linkedin]) {
		assert.match(text, /no language model wrote this/);
	}
	assert.match(summary.key_learnings, /^- .+\n- /);
	assert.match(newsletter, /^# /);
	const tweets = [...thread.matchAll(/<tweet>([^<]*)<\/tweet>/g)];
	assert.ok(tweets.length >= 3);
	assert.ok(tweets.every(([, text]) => text.length <= 280));
});

await test('says that nothing was recognized when there is no speech', async () => {
	const summary = await extractiveWriter.summarize([], TEXT_HELP);
	assert.match(summary.summary, /^Nothing was recognized as speech/);
	assert.deepEqual([summary.chapters, summary.summaries], [[], []]);
});
