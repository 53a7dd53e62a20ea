import type { FeedDetails } from '../../formats/feed/feedItem.ts';
import { Chance } from '../eval/chance.mts';

/** An episode as a service may have made it; all texts and times are known. */
export interface Episode {
	readonly name: string;
	readonly words: readonly Word[];
	readonly turns: ReadonlyArray<{ start: number; end: number; speaker: string }>;
	readonly chapters: ReadonlyArray<{ start: number; title: string }>;
	readonly title: string;
	readonly description: string;
	readonly details: FeedDetails;
}

interface Word {
	readonly id: number;
	readonly start: number;
	readonly end: number;
	readonly text: string;
}

interface Flavour {
	readonly name: string;
	readonly vocabulary: readonly string[];
	readonly seconds: number;
	readonly chapters: number;
	readonly title: string;
}

const PLAIN = 'the bread needs time and patience so we wait until morning comes'.split(' ');

const FLAVOURS: readonly Flavour[] = [
	flavour('plain', {}),
	flavour('unicode', {
		vocabulary: ['naïve', 'Ærøskøbing', 'Đặng', '東京', 'ﬁnale', 'e\u0301te\u0301', '№', 'İ'],
		title: 'Žluťoučký kůň – 東京',
	}),
	flavour('right to left', {
		vocabulary: ['مرحبا', 'بكم', 'في', 'الحلقة', 'שלום', 'לכולם', '\u200fabc\u200f', '١٢٣'],
		title: 'مرحبا بكم (Episode 12) שלום',
	}),
	flavour('empty', { vocabulary: [], chapters: 0, title: '' }),
	flavour('one word', { vocabulary: ['Hello'], seconds: 0.5, chapters: 1, title: 'Hello' }),
	flavour('six hours', { seconds: 21_600, chapters: 30, title: 'The marathon' }),
	flavour('200 chapters', { seconds: 7_200, chapters: 200, title: 'Everything' }),
	flavour('markup', {
		vocabulary: ['&', '<b>', "it's", '"so"', ']]>', '-->', '&amp;', '{\\an8}', '</v>', '<![CDATA['],
		title: `A & B <i>"'x'"</i> ]]> --> &lt; <![CDATA[`,
	}),
	flavour('emoji', {
		vocabulary: ['👩‍👩‍👧‍👦', '🏳️‍🌈', 'ok', '🇩🇪', '👍🏽', 'bread', '1️⃣'],
		title: '🎙️ Bread 👩‍🍳 & more 🏳️‍🌈',
	}),
	flavour('control characters', {
		vocabulary: ['a\u0000b', 'c\u0007', '\u001bd', 'e\ud800f', 'g\ufffeh', 'i\u2028j', 'k\u0085l'],
		title: 'Bell \u0007 and \u0000 null \ud83d half \uffff',
	}),
];

function flavour(name: string, more: Partial<Flavour>): Flavour {
	return { name, vocabulary: PLAIN, seconds: 900, chapters: 8, title: 'Bread and time', ...more };
}

/** The first episodes of a series that is always the same: each flavour in turn, with other words. */
export function episodes(count: number): Episode[] {
	return Array.from({ length: count }, (_episode, index) => {
		const one = FLAVOURS[index % FLAVOURS.length];
		const chance = new Chance(index + 1);
		return episode(one, () => chance.next(), index + 1);
	});
}

function episode(
	{ name, vocabulary, seconds, chapters, title }: Flavour,
	next: () => number,
	number: number,
): Episode {
	const words = speak(vocabulary, seconds, next);
	const end = words.at(-1)?.end ?? 0;
	const pick = () => vocabulary[Math.floor(next() * vocabulary.length)] ?? '';
	return {
		name: `${number} (${name})`,
		words,
		turns: turns(end),
		chapters: Array.from({ length: chapters }, (_chapter, index) => ({
			start: Math.round((index * end * 1_000) / chapters) / 1_000,
			title: `${index + 1} ${title} ${pick()}`.trim(),
		})),
		title,
		description:
			title === '' ? '' : `About ${pick()} and **${pick()}**.\n\n- ${pick()}\n- ${pick()}`,
		details: details(title, number, next),
	};
}

/** Words at speaking pace, up to a number of seconds, with sentences of about twelve words. */
function speak(vocabulary: readonly string[], seconds: number, next: () => number): Word[] {
	const words: Word[] = [];
	for (let atMs = 0, id = 0; vocabulary.length > 0 && atMs < seconds * 1_000; id++) {
		const text = vocabulary[Math.floor(next() * vocabulary.length)];
		const isLast = id % 12 === 11;
		const endMs = atMs + 150 + Math.floor(next() * 350);
		const times = { start: atMs / 1_000, end: endMs / 1_000 };
		words.push({ id, ...times, text: isLast ? `${text}.` : text });
		atMs = endMs + (isLast ? 600 : 40);
	}
	return words;
}

/** Two speakers who take turns of 50 seconds. */
function turns(end: number): Episode['turns'] {
	return Array.from({ length: Math.ceil(end / 50) }, (_turn, index) => ({
		start: index * 50,
		end: Math.min(end, index * 50 + 50),
		speaker: `SPEAKER_0${index % 2}`,
	}));
}

function details(title: string, number: number, next: () => number): FeedDetails {
	const url = (name: string) => `https://cdn.example.com/${number}/${name}?a=1&b="2"<3>`;
	return {
		title: title || `Episode ${number}`,
		guid: `show-&-${number}`,
		publishedAtMs: Date.UTC(2026, 0, number, 6),
		audio: { url: url('audio.mp3'), sizeBytes: Math.floor(next() * 3e9), mediaType: 'audio/mpeg' },
		durationSeconds: 900.4,
		episodeNumber: number,
		seasonNumber: 2,
		episodeType: 'full',
		isExplicit: number % 2 === 0,
		pageUrl: url('page'),
		imageUrl: url('cover.jpg'),
		chaptersUrl: url('chapters.json'),
		transcripts: [{ url: url('transcript.vtt'), type: 'text/vtt' }],
		people: [
			{ name: `Anna ${title}`.trim(), role: 'host' },
			{ name: 'Björn & Co', role: 'guest' },
		],
	};
}
