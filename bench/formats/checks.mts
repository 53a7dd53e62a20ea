import assert from 'node:assert/strict';

import { editSchema } from '../../api/contract/edit.ts';
import type { EditResult } from '../../api/contract/editResult.ts';
import { chapterList, jsonChapters } from '../../formats/notes/chapters.ts';
import { episodeDescription } from '../../formats/notes/episodeDescription.ts';
import { feedItem } from '../../formats/feed/feedItem.ts';
import { podloveChapters } from '../../formats/notes/podloveChapters.ts';
import { showNotesHtml } from '../../formats/notes/showNotes.ts';
import { soundbitesOf } from '../../formats/feed/soundbites.ts';
import { withSpeakerNames } from '../../formats/transcript/speakerNames.ts';
import { subtitleCues, toSrt, toWebVtt } from '../../formats/transcript/subtitles.ts';
import { transcriptText } from '../../formats/transcript/transcript.ts';
import { transcriptJson } from '../../formats/transcript/transcriptJson.ts';
import type { Episode } from './episodes.mts';
import { type ReadElement, readCaptions, readJson, readXml } from './readers.mts';
import { TAG_READERS } from './tagReaders.mts';
import { type SoundFormat, taggedFile, tagsOf } from './taggedFile.mts';
import { inXml, letters, xmlOf } from './texts.mts';

/** Reads an output back. Throws if it differs from the episode. */
type Check = (episode: Episode, result: EditResult | undefined) => void | Promise<void>;

const NAMES = new Map([
	['SPEAKER_00', 'Anna & <Co>'],
	['SPEAKER_01', 'بن 🎙️'],
]);

/** The checks of all outputs. */
export const CHECKS: Readonly<Record<string, Check>> = {
	subtitlesSrt: async (episode, result) => {
		const text = toSrt(subtitleCues(result));
		assert.equal(text === undefined, episode.words.length === 0);
		await checkCaptions(episode, result, text ?? '', 'srt');
	},
	subtitlesVtt: async (episode, result) => {
		const text = toWebVtt(subtitleCues(result));
		assert.equal(text === undefined, episode.words.length === 0);
		await checkCaptions(episode, result, text ?? 'WEBVTT\n', 'vtt');
	},
	transcriptText: (episode, result) => {
		const text = transcriptText(result, { hasSpeakers: false, hasTimes: false });
		assert.equal(letters(text ?? ''), lettersOf(episode));
	},
	transcriptJson: (episode, result) => {
		const made = transcriptJson(subtitleCues(result));
		assert.equal(made === undefined, episode.words.length === 0);
		if (made === undefined) return;
		assert.deepEqual(readJson(JSON.stringify(made), 'transcript'), made);
		const { segments } = made;
		assert.equal(letters(segments.map(({ body }) => body).join('')), lettersOf(episode));
		for (const { speaker = '' } of segments) assert.ok([...NAMES.values()].includes(speaker));
	},
	chaptersJson: (episode, result) => {
		const made = jsonChapters(result);
		assert.equal(made === undefined, episode.chapters.length === 0);
		if (made === undefined) return;
		assert.deepEqual(readJson(JSON.stringify(made), 'chapters'), made);
		const read = made.chapters.map(({ startTime, title }) => [startTime, letters(title)]);
		assert.deepEqual(read, expectedChapters(episode));
	},
	chapterList: ({ chapters }, result) => {
		const times = listedTimes(chapterList(result) ?? '');
		assert.equal(times.length > 0, chapters.length > 0);
		assertListed(times);
	},
	podloveChapters: (episode, result) => {
		const text = podloveChapters(result);
		assert.equal(text === undefined, episode.chapters.length === 0);
		if (text !== undefined) assert.deepEqual(podlove(readXml(text)), expectedChapters(episode));
	},
	showNotesHtml: ({ title }, result) => {
		const html = showNotesHtml(result);
		assert.equal(html === undefined, title === '');
		if (html === undefined) return;
		const [, heading] = readXml(`<html>${xmlOf(html)}</html>`);
		assert.deepEqual([heading.name, letters(heading.text)], ['h1', letters(title)]);
	},
	episodeDescription: ({ description, chapters }, result) => {
		const text = episodeDescription(result) ?? '';
		assert.equal(text === '', description === '');
		assert.ok(Buffer.byteLength(text) <= 4_000 && !/[<>]/.test(text));
		const times = listedTimes(text);
		assertListed(times);
		if (chapters.length >= 3) assert.ok(times.length >= 3);
		assert.ok(times.length === 0 || times.length >= 3);
	},
	soundbites: ({ words }, result) => {
		const bites = soundbitesOf(result);
		assert.equal(bites.length > 0, (words.at(-1)?.end ?? 0) >= 30);
		bites.forEach(({ startSeconds, durationSeconds, title }, index) => {
			assert.ok(durationSeconds >= 15 && durationSeconds <= 120 && Array.from(title).length <= 128);
			const end = bites[index + 1]?.startSeconds ?? (words.at(-1)?.end ?? 0) + 0.3;
			assert.ok(startSeconds + durationSeconds <= end + 1e-9);
		});
	},
	feedItem: checkFeedItem,
	tagsMp3: (episode, result) => checkTags(episode, result, 'mp3'),
	tagsM4a: (episode, result) => checkTags(episode, result, 'm4a'),
};

/** The result of an episode as the nodes see it, with the names of its speakers. */
export function resultOf(episode: Episode): EditResult | undefined {
	const { words, turns, chapters, title, description } = episode;
	const result = {
		filename: 'episode.mp3',
		transcription: { paragraphs: [], transcription: { words, paragraphs: turns } },
		summarization: { title, chapters, summary: title, episode_description: description },
	};
	const read = editSchema.parse({ task_id: 'a', status: 'SUCCESS', result }).result;
	return withSpeakerNames(read, NAMES);
}

async function checkCaptions(
	episode: Episode,
	result: EditResult | undefined,
	text: string,
	type: 'srt' | 'vtt',
): Promise<void> {
	const made = subtitleCues(result);
	const read = await readCaptions(text, type);
	assert.equal(letters(read.map((cue) => cue.text).join('')), lettersOf(episode));
	assert.deepEqual(
		read.map(({ startMs, endMs }) => [startMs, endMs]),
		made.map(({ startMs, endMs }) => [startMs, endMs]),
	);
	if (type === 'srt') return;
	assert.deepEqual(
		read.flatMap(({ speakers }) => speakers),
		made.map(({ speaker }) => speaker),
	);
}

function checkFeedItem(episode: Episode, result: EditResult | undefined): void {
	const { details } = episode;
	const bites = soundbitesOf(result);
	const elements = readXml(feedItem(result, details, bites));
	const all = (name: string) => elements.filter((element) => element.name === name);
	const podcast = (name: string) => all(`{https://podcastindex.org/namespace/1.0}${name}`);
	const textOf = (name: string) =>
		all(name)
			.map(({ text }) => text)
			.join('');
	const itunes = (name: string) =>
		all(`{http://www.itunes.com/dtds/podcast-1.0.dtd}${name}`)[0].text;
	assert.equal(elements[0].name, 'item');
	assert.equal(letters(all('title')[0].text), letters(details.title));
	assert.equal(all('guid')[0].text, details.guid);
	assert.equal(all('link')[0].text, details.pageUrl);
	assert.equal(Date.parse(all('pubDate')[0].text), details.publishedAtMs);
	const { url, sizeBytes, mediaType } = details.audio;
	assert.deepEqual(all('enclosure')[0].attributes, {
		url,
		length: String(sizeBytes),
		type: mediaType,
	});
	assert.deepEqual(['episode', 'season', 'duration', 'explicit'].map(itunes), [
		...[String(details.episodeNumber), '2', '900', String(details.isExplicit)],
	]);
	assert.equal(textOf('description'), inXml(episodeDescription(result) ?? ''));
	const notes = textOf('{http://purl.org/rss/1.0/modules/content/}encoded');
	assert.equal(notes, inXml(showNotesHtml(result) ?? ''));
	assert.deepEqual(podcast('transcript')[0].attributes, details.transcripts[0]);
	assert.equal(podcast('chapters')[0].attributes.url, details.chaptersUrl);
	assert.deepEqual(
		podcast('person').map(({ attributes, text }) => [attributes.role, letters(text)]),
		details.people.map(({ role, name }) => [role, letters(name)]),
	);
	assert.deepEqual(
		podcast('soundbite').map(({ attributes, text }) => [attributes, text]),
		bites.map(({ startSeconds, durationSeconds, title }) => [
			{ startTime: String(startSeconds), duration: String(durationSeconds) },
			inXml(title),
		]),
	);
	assert.deepEqual(podlove(elements), expectedChapters(episode));
}

async function checkTags(
	episode: Episode,
	result: EditResult | undefined,
	format: SoundFormat,
): Promise<void> {
	const file = taggedFile(episode, result, format);
	const { title = '', author = '', show = '', description = '', ...tags } = tagsOf(episode);
	for (const [reader, read] of Object.entries(TAG_READERS)) {
		const found = await read(file, `a.${format}`);
		assert.deepEqual(
			[found.title, found.author, found.show, found.description].map(letters),
			[title, author, show, description].map(letters),
			reader,
		);
		const { episodeNumber, season, date, coverBytes = tags.cover?.bytes.length } = found;
		assert.deepEqual(
			[episodeNumber, season, date, coverBytes],
			[String(tags.episodeNumber), String(tags.season), tags.date, tags.cover?.bytes.length],
			reader,
		);
		const chapters = found.chapters.map(([startMs, name]) => [startMs / 1_000, letters(name)]);
		assert.deepEqual(chapters, expectedChapters(episode), reader);
	}
}

/** The chapters in Podlove's format, as start in seconds and title. */
function podlove(elements: readonly ReadElement[]): Array<[number, string]> {
	return elements
		.filter(({ name }) => name === '{http://podlove.org/simple-chapters}chapter')
		.map(({ attributes: { start, title } }) => {
			const [hours, minutes, seconds] = start.split(':').map(Number);
			const startMs = Math.round(hours * 3_600_000 + minutes * 60_000 + seconds * 1_000);
			return [startMs / 1_000, letters(title)];
		});
}

function expectedChapters({ chapters }: Episode): Array<[number, string]> {
	return chapters.map(({ start, title }) => [start, letters(title)]);
}

/** The times of the lines `00:00 Title` in a text, in seconds. */
function listedTimes(text: string): number[] {
	return [...text.matchAll(/^(?:(\d+):)?(\d\d):(\d\d) \S/gm)].map(
		([, hours = '0', minutes, seconds]) =>
			Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds),
	);
}

/** The first at 0, each at least 10 s after the one before. */
function assertListed(times: readonly number[]): void {
	times.forEach((time, index) => {
		if (index === 0) assert.equal(time, 0);
		else assert.ok(time - times[index - 1] >= 10);
	});
}

function lettersOf({ words }: Episode): string {
	return letters(words.map(({ text }) => text).join(''));
}
