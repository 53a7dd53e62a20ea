import type { INodeParameters } from 'n8n-workflow';

import { fullResult } from '../../../testkit/service/fullResult';
import { readByBothParsers } from '../../../testkit/text/podcastFeeds';
import { useScriptedEdits } from '../../../testkit/service/scriptedEdits';
import { resultsFrom, speakers } from './results';

/*
 * What two parsers of podcast feeds, which share no code for the podcast namespace, read in a feed with our item.
 */

const edits = useScriptedEdits();
const getResult = resultsFrom(edits);

const CDN = 'https://cdn.example.com';

const FEED_ITEM = {
	audioUrl: `${CDN}/12.mp3`,
	chaptersUrl: `${CDN}/12-chapters.json`,
	guid: 'show-12',
	episodeNumber: 12,
	seasonNumber: 2,
	publishedAt: '2026-03-01T06:00:00Z',
	transcriptUrls: `${CDN}/12.vtt\n${CDN}/12.srt\n${CDN}/12.json\n${CDN}/12.html`,
};

const FEED_EXTRAS = {
	language: 'pt_br',
	statePassport: true,
	alternateFiles: {
		file: [
			{
				url: `${CDN}/12.opus?a=1&b=2`,
				sizeBytes: 4_567,
				title: 'Small <file> for slow connections',
			},
			{ url: `${CDN}/12.mp4`, sizeBytes: 987_654, title: '' },
		],
	},
};

const SENTENCE =
	'3 long silences, 12 fillers, 1 mouth sound and 7 breaths removed or muted, noise reduced by up to 20 dB. Transcript, show notes and posts written automatically.';

/** The item in a feed of a show in English. */
function feedWith(item: string): string {
	const channel = `<title>Show</title><link>https://show.example.com</link><language>en</language>${item}`;
	return `<?xml version="1.0"?><rss version="2.0"><channel>${channel}</channel></rss>`;
}

/** The feed item of an edit with everything, as both parsers read it. */
async function read(parameters: INodeParameters = {}) {
	const more = { edited_by: 'local', noise_reduction_db: 20, approved_by: 'Ann' };
	const result = { ...fullResult(edits.service.url), ...more };
	const asked = {
		feedItem: FEED_ITEM,
		feedExtras: FEED_EXTRAS,
		...speakers(['Speaker 1', 'Anna', 'host'], ['Speaker 2', 'Maria', 'guest']),
		...parameters,
	};
	const { formats } = await getResult(['feedItem'], asked, result);
	return { xml: formats.feedItem, ...readByBothParsers(feedWith(formats.feedItem)) };
}

it('both find the item, with its numbers, people and chapters', async () => {
	const { partytime, feedsmith } = await read();
	expect(partytime).toMatchObject({
		guid: 'show-12',
		enclosure: { url: `${CDN}/12.mp3`, type: 'audio/mpeg' },
		podcastChapters: { url: `${CDN}/12-chapters.json`, type: 'application/json+chapters' },
		podcastPeople: [
			{ name: 'Anna', role: 'Host' },
			{ name: 'Maria', role: 'Guest' },
		],
	});
	expect(feedsmith).toMatchObject({
		guid: { value: 'show-12' },
		itunes: { episode: 12, season: 2 },
		podcast: {
			chapters: { url: `${CDN}/12-chapters.json`, type: 'application/json+chapters' },
			persons: [
				{ display: 'Anna', role: 'host' },
				{ display: 'Maria', role: 'guest' },
			],
		},
	});
});

it('both find the transcripts, with their language, and which of them are captions', async () => {
	const { partytime, feedsmith } = await read();
	const expected = [
		{ url: `${CDN}/12.vtt`, type: 'text/vtt', rel: 'captions' },
		{ url: `${CDN}/12.srt`, type: 'application/x-subrip', rel: 'captions' },
		{ url: `${CDN}/12.json`, type: 'application/json', rel: 'captions' },
		{ url: `${CDN}/12.html`, type: 'text/html' },
	].map((one) => ({ ...one, language: 'pt-BR' }));
	expect(feedsmith?.podcast?.transcripts).toEqual(expected);
	const found = partytime?.podcastTranscripts?.map(({ url, language, rel }) => ({
		url,
		language,
		rel,
	}));
	expect(found).toEqual(expected.map(({ url, language, rel }) => ({ url, language, rel })));
});

it('both find the alternate files', async () => {
	const { partytime, feedsmith } = await read();
	const title = 'Small <file> for slow…';
	expect(partytime?.alternativeEnclosures).toEqual([
		{
			type: 'audio/opus',
			length: 4_567,
			lang: 'pt-BR',
			title,
			default: false,
			source: [{ uri: `${CDN}/12.opus?a=1&b=2`, contentType: 'audio/opus' }],
		},
		{
			type: 'video/mp4',
			length: 987_654,
			lang: 'pt-BR',
			default: false,
			source: [{ uri: `${CDN}/12.mp4`, contentType: 'video/mp4' }],
		},
	]);
	expect(feedsmith?.podcast?.alternateEnclosures).toEqual([
		{
			type: 'audio/opus',
			length: 4_567,
			lang: 'pt-BR',
			title,
			sources: [{ uri: `${CDN}/12.opus?a=1&b=2` }],
		},
		{ type: 'video/mp4', length: 987_654, lang: 'pt-BR', sources: [{ uri: `${CDN}/12.mp4` }] },
	]);
});

it('both find what was edited, which names nobody unless a person says so', async () => {
	const { partytime, feedsmith, xml } = await read();
	expect(xml).not.toContain('Ann<');
	expect(xml).not.toContain('approved');
	const expected = [{ purpose: 'ai-content', value: SENTENCE }];
	expect(partytime?.podcastTxt).toEqual(expected);
	expect(feedsmith?.podcast?.txts).toMatchObject([{ display: SENTENCE, purpose: 'ai-content' }]);
	const named = await read({ namesApprover: true });
	expect(named.partytime?.podcastTxt?.[0].value).toBe(`${SENTENCE} Cuts approved by Ann.`);
});

it('without these details, the item has none of their tags', async () => {
	const { xml } = await read({ feedExtras: {} });
	expect(xml).not.toMatch(/podcast:(txt|alternateEnclosure)|language=|lang=/);
	expect(xml).toContain('rel="captions"');
});

describe('chapters that a person has entered', () => {
	const CHAPTERS = {
		startTime: 0,
		title: 'Hello',
		url: 'https://show.example.com/?a=1&b=2',
		img: `${CDN}/hello.jpg`,
	};
	const entered = {
		download: ['edited'],
		returnAs: 'json',
		transcriptAndNotes: {
			embedChapters: 'json',
			chaptersJson: JSON.stringify({ chapters: [CHAPTERS, { startTime: 9, title: 'Bye' }] }),
		},
	};

	it('are in the feed item and in the JSON, with links and images', async () => {
		const { feedsmith, xml } = await read(entered);
		expect(feedsmith?.psc?.chapters).toEqual([
			{ start: '00:00:00.000', title: 'Hello', href: CHAPTERS.url, image: CHAPTERS.img },
			{ start: '00:00:09.000', title: 'Bye' },
		]);
		expect(xml).not.toContain('Welcome</');
		const { formats } = await getResult(['chaptersJson'], entered);
		expect(formats.chaptersJson).toMatchObject({
			version: '1.2.0',
			chapters: [CHAPTERS, { startTime: 9, title: 'Bye' }],
		});
	});
});

describe('the passport', () => {
	it('is an output by itself, as JSON and as two files', async () => {
		const { formats } = await getResult(['passport']);
		expect(formats.passport).toMatchObject({
			sentence: expect.stringMatching(/^3 long silences, 12 fillers/),
			cuts: { fillers: 12 },
			written: ['transcript', 'show notes', 'posts'],
		});
		const { item } = await getResult(['passport'], { returnAs: 'files' });
		const files = Object.entries(item.binary ?? {}).map(([field, file]) => [field, file.fileName]);
		expect(files).toEqual([
			['data_passport_json', 'episode 12-passport.json'],
			['data_passport_txt', 'episode 12-passport.txt'],
		]);
	});

	it('is left out with a hint if the result states nothing', async () => {
		const { formats, hints } = await getResult(['passport'], {}, { filename: 'a.mp3' });
		expect(formats).toEqual({});
		expect(hints.join()).toContain('Edit Passport left out, because the result states nothing');
	});
});

it.each([
	[{ language: 'not a code' }, "'Language' is not a language code: 'not a code'"],
	[{ language: 'english' }, "'Language' is not a language code: 'english'"],
	[{ alternateFiles: { file: [{ url: 'cdn/12.opus' }] } }, 'is not an http or https URL'],
	[
		{ alternateFiles: { file: [{ url: `${CDN}/12` }] } },
		'does not end like an audio or video file',
	],
	[
		{ alternateFiles: { file: [{ url: `${CDN}/12.opus`, sizeBytes: 'big' }] } },
		"'Size (Bytes)' must be a number",
	],
])('%j is refused before any request', async (feedExtras, message) => {
	await expect(getResult(['feedItem'], { feedItem: FEED_ITEM, feedExtras })).rejects.toMatchObject({
		message: expect.stringContaining(message) as string,
	});
	expect(edits.service.seen).toEqual([]);
});
