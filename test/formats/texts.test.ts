import * as fc from 'fast-check';

import { chapterList, jsonChapters } from '../../formats/notes/chapters';
import { countsInWords } from '../../formats/countsInWords';
import { summarizeEdit } from '../../nodes/core/fetch/editJson';
import { showNotesHtml, showNotesMarkdown } from '../../formats/notes/showNotes';
import { socialPosts } from '../../formats/notes/socialPosts';
import { transcriptText } from '../../formats/transcript/transcript';
import { transcriptJson } from '../../formats/transcript/transcriptJson';
import { editSchema } from '../../api/contract';
import { fullResult } from '../../testkit/service/fullResult';
import { anyResultBody, resultOf, sayWords, transcribed } from '../../testkit/service/results';

const PLAIN = { hasSpeakers: false, hasTimes: false };
const FULL = { hasSpeakers: true, hasTimes: true };

describe('the transcript', () => {
	const paragraphs = [
		{ id: 0, start: 0, end: 4, text: 'Hello and welcome.' },
		{ id: 1, start: 4, end: 9, text: 'We bake bread.' },
		{ id: 2, start: 3_661, end: 3_663, text: 'Thank you!' },
	];
	const turns = [
		{ id: 0, start: 0, end: 9, speaker: 'Anna' },
		{ id: 1, start: 3_661, end: 3_663, speaker: 'Speaker 2' },
	];
	const result = resultOf(transcribed([], turns, paragraphs));

	it('lists its paragraphs, with speakers and times on request', () => {
		expect(transcriptText(result, PLAIN)).toBe(
			'Hello and welcome.\n\nWe bake bread.\n\nThank you!\n',
		);
		expect(transcriptText(result, FULL)).toBe(
			'[00:00] Anna: Hello and welcome.\n\n[00:04] We bake bread.\n\n[1:01:01] Speaker 2: Thank you!\n',
		);
	});

	it('is made of the words if there are no paragraphs', () => {
		const said = [...sayWords('One two.'), ...sayWords('Three four.', 60)];
		expect(transcriptText(resultOf(transcribed(said)), FULL)).toBe(
			'[00:00] One two.\n\n[01:00] Three four.\n',
		);
		const silent = (seconds: number) => [
			{ start: 0, end: 1, text: 'One.' },
			{ start: 1 + seconds, end: 9, text: 'Two.' },
		];
		expect(transcriptText(resultOf(transcribed(silent(1.9))), PLAIN)).toBe('One. Two.\n');
		expect(transcriptText(resultOf(transcribed(silent(1.9))), FULL)).toBe('[00:00] One. Two.\n');
		expect(transcriptText(resultOf(transcribed(silent(2))), PLAIN)).toBe('One.\n\nTwo.\n');
		const two = [
			{ start: 0, end: 1, speaker: 'Anna' },
			{ start: 1, end: 9, speaker: 'Ben' },
		];
		expect(transcriptText(resultOf(transcribed(silent(0.5), two)), FULL)).toBe(
			'[00:00] Anna: One.\n\n[00:01] Ben: Two.\n',
		);
		const untimed = said.map(({ text }) => ({ text }));
		expect(transcriptText(resultOf(transcribed(untimed)), FULL)).toBe('One two. Three four.\n');
	});

	it.each<[string, unknown, string | undefined]>([
		['a superseded text', { transcript: 'Just text' }, 'Just text\n'],
		['paragraphs without times', { transcript: ['One.', { text: 'Two.' }] }, 'One.\n\nTwo.\n'],
		['[]', { transcription: [] }, undefined],
		['null', { transcription: null }, undefined],
		['empty texts', { transcription: { paragraphs: [{ text: ' \n' }] } }, undefined],
	])('uses what there is for %s', (_name, body, text) => {
		expect(transcriptText(resultOf(body), FULL)).toBe(text);
	});
});

describe('chapters', () => {
	const chapters = [
		{ start: 3, title: 'Welcome\nback' },
		{ start: 1_000.5, title: 'Bread & <time>' },
		{ start: 1_005, title: 'A short one' },
		{ start: 3_700, title: 'Goodbye' },
		{ start: 3_700, title: 'Once more' },
		{ title: 'Nowhere' },
		{ start: 50, title: ' ' },
	];
	const result = resultOf({
		filename: 'episode.mp3',
		summarization: { title: 'The Slow Kitchen', chapters },
	});

	it('form a JSON chapters file of version 1.2', () => {
		expect(jsonChapters(result)).toEqual({
			version: '1.2.0',
			title: 'The Slow Kitchen',
			fileName: 'episode.mp3',
			chapters: [
				{ startTime: 3, title: 'Welcome back' },
				{ startTime: 1_000.5, title: 'Bread & <time>' },
				{ startTime: 1_005, title: 'A short one' },
				{ startTime: 3_700, title: 'Goodbye' },
			],
		});
	});

	it('form a list from 00:00 on, at least 10 s apart', () => {
		expect(chapterList(result)).toBe('00:00 Welcome back\n16:40 Bread & <time>\n1:01:40 Goodbye\n');
	});

	it('with a time that cannot be one come last in the show notes, without it', () => {
		const odd = [
			{ start: -1, title: 'Before' },
			{ start: 3_600_001, title: 'After' },
			{ start: 40_000, title: 'Late' },
			{ start: 3_600_000, title: 'Last' },
			{ start: 5, title: 'First' },
		];
		const made = resultOf({ summarization: { chapters: odd } });
		expect(chapterList(made)).toBe('00:00 First\n11:06:40 Late\n1000:00:00 Last\n');
		expect(showNotesMarkdown(made)).toBe(
			'## Chapters\n\n- 00:05 First\n- 11:06:40 Late\n- 1000:00:00 Last\n- Before\n- After\n',
		);
	});

	it.each<[string, unknown]>([
		['none', []],
		['null', null],
		['chapters without times', [{ title: 'A' }, { title: 'B', start: 'soon' }]],
	])('are absent if the service sends %s', (_name, given) => {
		const odd = resultOf({ summarization: { title: 'T', chapters: given } });
		expect([jsonChapters(odd), chapterList(odd)]).toEqual([undefined, undefined]);
	});
});

it('a transcript in JSON has the text of each cue, its speaker, and its times in seconds', () => {
	const cues = [
		{ startMs: 1_500, endMs: 2_750, lines: ['Hello', 'you'], speaker: 'Anna' },
		{ startMs: 3_000, endMs: 4_000, lines: ['词', '语'] },
	];
	expect(transcriptJson(cues)).toEqual({
		version: '1.0.0',
		segments: [
			{ speaker: 'Anna', startTime: 1.5, endTime: 2.75, body: 'Hello you' },
			{ startTime: 3, endTime: 4, body: '词语' },
		],
	});
});

describe('the counts of edits', () => {
	it.each<[Record<string, number> | undefined, string | undefined]>([
		[{ DEADAIR: 3, FILLER_SOUND: 12, BREATH: 1 }, '12 fillers, 3 long silences, 1 breath'],
		[
			{ STUTTERING: 1, MOUTH_SOUND: 2, BREATH: 0, NEW_KIND: 4 },
			'4 new kind, 2 mouth sounds, 1 stutter',
		],
		[{ DEADAIR: 0 }, 'none'],
		[{}, undefined],
		[undefined, undefined],
		[{ toString: 2 }, '2 tostring'],
	])('%j read "%s"', (statistics, words) => {
		expect(countsInWords(statistics)).toBe(words);
	});

	it('appear in the summary of an edit, which always has the same fields in the same order', () => {
		const names = Object.keys(summarizeEdit(undefined));
		fc.assert(
			fc.property(anyResultBody, (result) => {
				const edit = editSchema.parse({ task_id: 'a', status: 'SUCCESS', result });
				expect(Object.keys(summarizeEdit(edit))).toEqual(names);
			}),
		);
		const { result, status } = { result: fullResult('https://s.example'), status: 'SUCCESS' };
		expect(summarizeEdit(editSchema.parse({ task_id: 'a', status, result }))).toEqual({
			status,
			durationBeforeSeconds: null,
			durationAfterSeconds: null,
			loudnessBeforeLufs: null,
			loudnessAfterLufs: null,
			cuts: { longSilences: 3, fillers: 12, breaths: 7, stutters: 0, mouthSounds: 1 },
			cutsText: '12 fillers, 7 breaths, 3 long silences, 1 mouth sound',
			title: 'Bread & Time',
			summary: 'Maria Jones on slow bread.',
			chapters: result.summarization.chapters,
			transcript: result.transcription.paragraphs.map(({ text }) => text).join('\n\n'),
			links: {
				edited: 'https://s.example/download/full?signature=link-secret',
				merged: ['https://s.example/merged/m.mp3?signature=link-secret'],
				markers: ['https://s.example/markers/m.txt?signature=link-secret'],
			},
		});
	});

	it('are null where the service does not say them', () => {
		const none = { longSilences: null, fillers: null, breaths: null, stutters: null };
		const unread = summarizeEdit(undefined);
		expect(unread.cuts).toEqual({ ...none, mouthSounds: null });
		expect(unread).toMatchObject({
			status: null,
			cutsText: null,
			chapters: null,
			transcript: null,
		});
		const result = { statistics: { DEADAIR: 2 } };
		const edit = editSchema.parse({ task_id: 'a', status: 'SUCCESS', result });
		expect(summarizeEdit(edit)).toMatchObject({
			cuts: { ...none, longSilences: 2 },
			cutsText: '2 long silences',
		});
	});
});

describe('lengths and loudness', () => {
	const result = {
		filename: 'a.mp3',
		duration_before_seconds: 60.00049,
		duration_after_seconds: '45.5',
		loudness_before_lufs: -23.45678,
		loudness_after_lufs: null,
	};
	const edit = editSchema.parse({ task_id: 'a', status: 'SUCCESS', result });

	it('are those of the service', () => {
		expect(summarizeEdit(edit)).toMatchObject({
			durationBeforeSeconds: 60,
			durationAfterSeconds: 45.5,
			loudnessBeforeLufs: -23.457,
			loudnessAfterLufs: null,
		});
	});

	it('are those of the files where they were read', () => {
		expect(summarizeEdit(edit, { before: 61.5, after: 44 })).toMatchObject({
			durationBeforeSeconds: 61.5,
			durationAfterSeconds: 44,
		});
	});
});

it('every text follows its rules, whatever the service sends', () => {
	fc.assert(
		fc.property(anyResultBody, fc.boolean(), fc.boolean(), (body, hasSpeakers, hasTimes) => {
			const result = resultOf(body);
			const texts = [
				transcriptText(result, { hasSpeakers, hasTimes }),
				chapterList(result),
				showNotesMarkdown(result),
				showNotesHtml(result),
			];
			for (const text of texts) expect(text?.trim()).not.toBe('');
			const starts = jsonChapters(result)?.chapters.map(({ startTime }) => startTime) ?? [];
			expect(starts).toEqual([...new Set(starts)].sort((one, other) => one - other));
			const lines = chapterList(result)?.trimEnd().split('\n') ?? [];
			const seconds = lines.map(secondsOf);
			seconds.forEach((time, index) => {
				if (index === 0) expect(time).toBe(0);
				else expect(time - seconds[index - 1]).toBeGreaterThanOrEqual(10);
			});
			for (const post of socialPosts(result)?.thread ?? []) expect(post.trim()).toBe(post);
		}),
		{ numRuns: 1_000 },
	);
});

/** Returns the seconds of a line of a chapter list; NaN if the line has none. */
function secondsOf(line: string): number {
	const time = /^((?:\d+:)?\d\d:\d\d) \S/.exec(line)?.[1] ?? '';
	return time === '' ? NaN : time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}
