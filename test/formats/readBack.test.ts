import { DOMParser, type Element } from '@xmldom/xmldom';
import * as fc from 'fast-check';

import { feedItem } from '../../formats/feed/feedItem';
import { soundbitesOf } from '../../formats/feed/soundbites';
import { jsonChapters } from '../../formats/notes/chapters';
import { episodeDescription } from '../../formats/notes/episodeDescription';
import { podloveChapters } from '../../formats/notes/podloveChapters';
import { showNotesHtml } from '../../formats/notes/showNotes';
import { withSpeakerNames } from '../../formats/transcript/speakerNames';
import { subtitleCues } from '../../formats/transcript/subtitles';
import { transcriptText } from '../../formats/transcript/transcript';
import { transcriptJson } from '../../formats/transcript/transcriptJson';
import { onOneLine } from '../../formats/values';
import { encodedSound, probed } from '../../testkit/media/mediaFiles';
import { readWithMusicMetadata } from '../../testkit/media/musicMetadata';
import { resultOf, sayWords, transcribed } from '../../testkit/service/results';
import { tagged } from '../../testkit/media/retagged';

/** What people and services write. Captions are read by other readers in captionFiles.test.ts. */
const KINDS = {
	plain: 'the bread needs time and patience so we wait until morning comes',
	unicode: 'naïve Ærøskøbing Đặng 東京 ﬁnale e\u0301te\u0301 № İ',
	'right to left': 'مرحبا بكم في الحلقة שלום לכולם \u200fabc\u200f ١٢٣',
	markup: `& <b> it's "so" ]]> --> &amp; &lt; {\\an8} </v> <![CDATA[ <i>"'x'"</i>`,
	emoji: '👩‍👩‍👧‍👦 🏳️‍🌈 ok 🇩🇪 👍🏽 🎙️ 1️⃣',
	'control characters':
		'a\u0000b c\u0007 \u001bd e\ud800f g\ufffeh i\u2028j k\u0085l \ud83d half \uffff',
};
const NAMES = new Map([
	['SPEAKER_00', 'Anna & <Co>'],
	['SPEAKER_01', 'بن 🎙️'],
]);

/** What must survive of a text: everything but white space and what no text file can hold. */
const letters = (text = '') => text.replace(/[\p{Cc}\p{Cs}\p{Cn}\s\u2060\ufffd]/gu, '');

/** A text as an XML document can hold it. */
function inXml(text: string): string {
	return text
		.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
		.replace(/[\u0085\u2028]/g, '\n');
}

/** Reads a document with xmldom, which must not complain. Returns its elements in order. */
function elementsOf(document: string): Element[] {
	const onError = (_level: string, message: string) => {
		// Half a surrogate pair becomes this character on purpose.
		if (!message.startsWith('Unicode replacement character')) throw new Error(message);
	};
	const root = new DOMParser({ onError }).parseFromString(document, 'text/xml').documentElement!;
	return [root, ...root.getElementsByTagName('*')];
}

/** Reads Podlove's chapters as start in seconds and letters of the title. */
function podlove(elements: readonly Element[]) {
	const chapters = elements.filter(
		({ namespaceURI, localName }) =>
			namespaceURI === 'http://podlove.org/simple-chapters' && localName === 'chapter',
	);
	return chapters.map((chapter) => {
		const [hours, minutes, seconds] = chapter.getAttribute('start')!.split(':').map(Number);
		const start = Math.round((hours * 3_600 + minutes * 60 + seconds) * 1_000) / 1_000;
		return [start, letters(chapter.getAttribute('title')!)];
	});
}

const word = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.constantFrom(...Object.values(KINDS).flatMap((text) => text.split(' '))),
	},
	fc.stringMatching(/^[a-z]{1,60}[.,]?$/),
);
const phrase = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));
const episode = fc.record({
	words: fc.array(word, { maxLength: 120 }),
	title: phrase.map((text) => text && `a ${text}`),
	description: phrase.map((text) => text && `About **${text}**.\n\n- ${text}`),
	chapters: fc.array(fc.tuple(fc.integer({ min: 1, max: 9_000_000 }), phrase), { maxLength: 30 }),
});

/** An episode with its speakers' names: its result, and what readers must find. */
const anyEpisode = episode.map(({ chapters: drawn, ...texts }) => {
	let ms = 0;
	const chapters = drawn.map(([lengthMs, text], index) => {
		ms += lengthMs;
		return { start: ms / 1_000, title: `${index + 1} ${text}` };
	});
	const turns = Array.from({ length: 40 }, (_turn, index) => ({
		start: 5 * index,
		end: 5 * index + 5,
		speaker: `SPEAKER_0${index % 2}`,
	}));
	const { title, description, words } = texts;
	const summarization = { title, chapters, summary: title, episode_description: description };
	const body = { ...transcribed(sayWords(words.join(' ')), turns), summarization };
	return {
		result: withSpeakerNames(resultOf(body), NAMES),
		title,
		spoken: letters(words.join('')),
		chapters: chapters.map((chapter) => [chapter.start, letters(chapter.title)]),
	};
});

const RUNS = { numRuns: 150, seed: 36 };

it('no output loses a letter of what was said, or a name', () => {
	fc.assert(
		fc.property(anyEpisode, ({ result, spoken }) => {
			const cues = subtitleCues(result);
			expect(letters(cues.flatMap(({ lines }) => lines).join(''))).toBe(spoken);
			const text = transcriptText(result, { hasSpeakers: false, hasTimes: false });
			expect(letters(text)).toBe(spoken);
			const { segments = [] } = transcriptJson(cues) ?? {};
			expect(letters(segments.map(({ body }) => body).join(''))).toBe(spoken);
			for (const segment of segments) {
				expect([...NAMES.values()]).toContain(segment.speaker);
				expect(segment).toEqual({
					speaker: expect.any(String),
					startTime: expect.any(Number),
					endTime: expect.any(Number),
					body: expect.stringMatching(/./s),
				});
			}
		}),
		RUNS,
	);
});

it('files of chapters keep times and letters, and show notes are well-formed', () => {
	fc.assert(
		fc.property(anyEpisode, ({ result, title, chapters }) => {
			const made = jsonChapters(result)?.chapters ?? [];
			expect(made.map((one) => [one.startTime, letters(one.title)])).toEqual(chapters);
			const file = podloveChapters(result);
			expect(file === undefined ? [] : podlove(elementsOf(file))).toEqual(chapters);
			const html = inXml(showNotesHtml(result) ?? '').replaceAll('<br>', '<br/>');
			const [, heading] = elementsOf(`<html>${html}</html>`);
			if (title !== '') expect(letters(heading.textContent!)).toBe(letters(title));
			expect(episodeDescription(result) ?? '').not.toMatch(/[<>]/);
		}),
		RUNS,
	);
});

it('a feed item says what the other outputs say', () => {
	const people = [...NAMES.values()].map((name) => ({ name, role: 'host' }));
	const url = 'https://cdn.example.com/12.mp3?a=1&b="2"<3>';
	const audio = { url, sizeBytes: 3e9, mediaType: 'audio/mpeg' };
	const given = {
		guid: 'show-&-12',
		publishedAtMs: 0,
		audio,
		people,
		transcripts: [],
		alternates: [],
	};
	fc.assert(
		fc.property(anyEpisode, ({ result, title, chapters }) => {
			const bites = soundbitesOf(result);
			const item = elementsOf(feedItem(result, { ...given, title: `a ${title}` }, bites));
			const textsOf = (name: string) =>
				item.filter((one) => one.tagName === name).map((one) => one.textContent!);
			expect(textsOf('title').map(letters)).toEqual([letters(`a ${title}`)]);
			expect(textsOf('guid')).toEqual([given.guid]);
			expect(textsOf('description').join('')).toBe(inXml(episodeDescription(result) ?? ''));
			expect(textsOf('content:encoded').join('')).toBe(inXml(showNotesHtml(result) ?? ''));
			expect(textsOf('podcast:person').map(letters)).toEqual([...NAMES.values()].map(letters));
			expect(textsOf('podcast:soundbite')).toEqual(bites.map((bite) => inXml(bite.title)));
			const enclosure = item.find((one) => one.tagName === 'enclosure')!;
			expect(enclosure.getAttribute('url')).toBe(url);
			expect(podlove(item)).toEqual(chapters);
		}),
		RUNS,
	);
});

const SOUNDS = {
	mp3: encodedSound(2, ['-b:a', '8k', '-ar', '8000', '-ac', '1'], 'mp3'),
	m4a: encodedSound(2, ['-c:a', 'aac', '-b:a', '8k', '-ac', '1', '-movflags', '+faststart'], 'm4a'),
};

it.each(
	Object.entries(SOUNDS).flatMap(([format, sound]) =>
		Object.entries(KINDS).map(([kind, text]) => [format, kind, text, sound] as const),
	),
)('two readers find in the tags of %s all letters of texts: %s', async (format, _, text, sound) => {
	const tags = { title: onOneLine(text), author: text, show: onOneLine(text), description: text };
	const chapters = [0, 1].map((startSeconds) => ({ startSeconds, title: `a ${onOneLine(text)}` }));
	const file = tagged(sound, { tags, chapters });
	const read = await readWithMusicMetadata(file);
	const { title, artist, album } = read.common as Record<string, string>;
	const found = probed(file, `a.${format}`);
	const { tags: shown = {} } = found.format;
	const texts = [title, artist, album, shown.title, shown.artist, shown.album, shown.comment];
	expect(texts.map(letters)).toEqual(Array(7).fill(letters(text)));
	const titles = [...read.chapters.map((one) => one.title), ...found.chapters.map(titleOf)];
	expect(titles.map(letters)).toEqual(Array(4).fill(letters(`a ${text}`)));
});

const titleOf = ({ tags }: { tags?: Record<string, string> }) => tags?.title;
