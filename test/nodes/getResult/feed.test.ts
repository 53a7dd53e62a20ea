import { DOMParser } from '@xmldom/xmldom';
import { fullResult } from '../../../testkit/service/fullResult';
import { groupedFormats } from '../../../testkit/n8n/grouped';
import { systemTime } from '../../../testkit/time/leapingTime';
import { encodedSound, probed } from '../../../testkit/media/mediaFiles';
import { readFile } from '../../../testkit/n8n/n8nEngine';
import { sayWords, TALK } from '../../../testkit/service/results';
import { status, useScriptedEdits } from '../../../testkit/service/scriptedEdits';
import { resultsFrom, speakers } from './results';

const edits = useScriptedEdits();
const getResult = resultsFrom(edits);
const FIELDS_BESIDE_FILE = { download: ['edited'], returnAs: 'json' };

function itemOf(xml: string) {
	const { documentElement } = new DOMParser().parseFromString(xml, 'text/xml');
	const all = (name: string) => [...documentElement!.getElementsByTagName(name)];
	return {
		text: (name: string) => all(name)[0]?.textContent,
		attributes: (name: string) =>
			all(name).map(({ attributes, textContent }) => ({
				...Object.fromEntries([...attributes].map((one) => [one.name, one.value])),
				...(textContent !== '' && { textContent }),
			})),
	};
}

describe('the feed item', () => {
	it('has what the form says, and the size and type of the downloaded file', async () => {
		const asked = {
			...FIELDS_BESIDE_FILE,
			feedItem: {
				audioUrl: 'https://cdn.example.com/12.mp3?a=1&b=2',
				chaptersUrl: 'https://cdn.example.com/12.json',
				episodeNumber: 12,
				episodeType: 'full',
				isExplicit: false,
				guid: 'show-12',
				imageUrl: 'https://cdn.example.com/12.jpg',
				pageUrl: 'https://show.example.com/12',
				publishedAt: '2026-03-01T06:00:00Z',
				seasonNumber: 2,
				transcriptUrls: 'https://cdn.example.com/12.vtt\nhttps://cdn.example.com/12.srt',
			},
			...speakers(['Speaker 1', 'Anna', 'host'], ['Speaker 2', 'Maria <M>', 'guest']),
		};
		const result = { ...fullResult(edits.service.url), duration_after_seconds: 1_800 };
		const { formats, hints } = await getResult(['feedItem'], asked, result);
		const { text, attributes } = itemOf(formats.feedItem);
		const short = ['title', 'itunes:title', 'link', 'pubDate', 'itunes:duration', 'itunes:season'];
		expect(short.map(text)).toEqual([
			'Bread & Time',
			'Bread & Time',
			'https://show.example.com/12',
			'Sun, 01 Mar 2026 06:00:00 GMT',
			'1800',
			'2',
		]);
		expect(['itunes:episode', 'itunes:episodeType', 'itunes:explicit'].map(text)).toEqual([
			'12',
			'full',
			'false',
		]);
		expect(attributes('guid')).toEqual([{ isPermaLink: 'false', textContent: 'show-12' }]);
		expect(attributes('itunes:image')).toEqual([{ href: 'https://cdn.example.com/12.jpg' }]);
		expect(attributes('enclosure')).toEqual([
			{ url: 'https://cdn.example.com/12.mp3?a=1&b=2', length: '15', type: 'audio/mpeg' },
		]);
		expect(attributes('podcast:transcript')).toEqual([
			{ url: 'https://cdn.example.com/12.vtt', type: 'text/vtt', rel: 'captions' },
			{ url: 'https://cdn.example.com/12.srt', type: 'application/x-subrip', rel: 'captions' },
		]);
		expect(attributes('podcast:chapters')).toEqual([
			{ url: 'https://cdn.example.com/12.json', type: 'application/json+chapters' },
		]);
		expect(attributes('podcast:person')).toEqual([
			{ role: 'host', textContent: 'Anna' },
			{ role: 'guest', textContent: 'Maria <M>' },
		]);
		expect(attributes('psc:chapter')).toEqual([
			{ start: '00:00:00.000', title: 'Welcome' },
			{ start: '00:00:12.000', title: 'Patience' },
		]);
		expect(text('content:encoded')).toContain('<li><strong>Time</strong></li>');
		expect(hints).toEqual([]);
	});
});

it('has the length of the file that was downloaded, whatever the service says', async () => {
	const result = { ...fullResult(edits.service.url), duration_after_seconds: 1_800 };
	const sound = encodedSound(20, ['-b:a', '96k'], 'mp3');
	const { formats, item } = await getResult(
		['feedItem'],
		FIELDS_BESIDE_FILE,
		result,
		undefined,
		sound,
	);
	expect(itemOf(formats.feedItem).text('itunes:duration')).toBe('20');
	expect(Math.abs(Number(item.json.durationAfterSeconds) - 20)).toBeLessThan(0.1);
});

describe('the feed item of a poor edit', () => {
	it('falls back to the edit, and hints at what listeners would miss', async () => {
		const { formats, hints } = await getResult(['feedItem']);
		const { text, attributes } = itemOf(formats.feedItem);
		expect(text('guid')).toBe('a');
		const open = ['explicit', 'duration', 'episode', 'season', 'image'];
		expect(open.map((name) => text(`itunes:${name}`))).toEqual(open.map(() => undefined));
		expect(attributes('enclosure')).toEqual([
			{ url: expect.stringContaining('/download/full'), length: '0', type: 'audio/mpeg' },
		]);
		expect(hints).toEqual([
			"edit a: the feed item has the service's link, which expires. Set 'Audio URL' under 'Feed Item' to where you publish the edited file.",
			"edit a: the feed item does not state the size of the audio, because n8n does not have the edited file. Choose 'Edited File' under 'Download'.",
		]);
	});

	it('has the title of the form if there is one, and no duration if nobody says one', async () => {
		const feedItem = { title: ' My own title ' };
		const { formats } = await getResult(['feedItem'], { feedItem });
		const { text } = itemOf(formats.feedItem);
		expect(text('title')).toBe('My own title');
		expect(text('itunes:duration')).toBeUndefined();
	});

	it('has the time of day as its date, even if the clock of n8n was set forward', async () => {
		systemTime.timeOfDayAheadMs = 3 * 86_400_000;
		const { formats } = await getResult(['feedItem']);
		systemTime.timeOfDayAheadMs = 0;
		const published = Date.parse(itemOf(formats.feedItem).text('pubDate')!);
		expect(new Date(published).toISOString()).toMatch(/^2026-01-04T/);
	});

	it('is left out without an address for the audio', async () => {
		const result = { ...fullResult(edits.service.url), download_url: undefined };
		const { formats, hints } = await getResult(['feedItem', 'chapterList'], {}, result);
		expect(Object.keys(formats)).toEqual(['chapterList']);
		expect(hints.join()).toContain("'Audio URL' under 'Feed Item' is empty");
	});
});

describe('the people of a feed item', () => {
	it('have names of at most 128 characters, and a role', async () => {
		const named = speakers(['Speaker 1', 'x'.repeat(200), 'host'], ['Speaker 2', 'Ben', '']);
		const { formats } = await getResult(['feedItem'], named);
		const people = itemOf(formats.feedItem).attributes('podcast:person');
		expect(people).toEqual([{ role: 'host', textContent: `${'x'.repeat(127)}…` }]);
	});
});

describe('the file of the feed item', () => {
	it('becomes a file beside the soundbites and the other new ones', async () => {
		const words = sayWords(TALK);
		const result = {
			...fullResult(edits.service.url),
			transcription: { paragraphs: [], transcription: { words, paragraphs: [] } },
		};
		const asked = ['feedItem', 'soundbites', 'podloveChapters', 'episodeDescription'];
		const { item } = await getResult(
			[...asked, 'transcriptJson'],
			{ returnAs: 'files', feedItem: { audioUrl: 'https://cdn.example.com/12.mp3' } },
			result,
		);
		const files = Object.entries(item.binary ?? {});
		expect(files.map(([field, { fileName, mimeType }]) => [field, fileName, mimeType])).toEqual([
			['data_transcript_json', 'episode 12-transcript.json', 'application/json'],
			['data_chapters_xml', 'episode 12-chapters.xml', 'application/xml'],
			['data_description_txt', 'episode 12-description.txt', 'text/plain'],
			['data_feed_item_xml', 'episode 12-feed-item.xml', 'application/xml'],
			['data_soundbites_json', 'episode 12-soundbites.json', 'application/json'],
		]);
		const text = (await readFile(item.binary!.data_soundbites_json)).toString('utf8');
		const bites = JSON.parse(text) as object[];
		// For people, too, who open the file.
		expect(text).toBe(`${JSON.stringify(bites, undefined, 2)}\n`);
		const [bite] = bites;
		expect(bite).toEqual({
			startSeconds: 0,
			durationSeconds: expect.any(Number),
			title: expect.stringMatching(/^Welcome back to the Slow Kitchen/),
		});
	});

	it.each([
		[{ audioUrl: 'cdn/12.mp3' }, "'Audio URL' is not an http or https URL: cdn/12.mp3"],
		[{ publishedAt: 'soon' }, "'Publish Date' is not a date"],
		[
			{ transcriptUrls: 'https://cdn.example.com/12.doc' },
			"'Transcript URLs' has a URL that is not a transcript: https://cdn.example.com/12.doc",
		],
	])('is refused before any request with %j', async (feedItem, message) => {
		await expect(getResult(['feedItem'], { feedItem })).rejects.toMatchObject({
			message: expect.stringContaining(message),
		});
		expect(edits.service.seen).toEqual([]);
	});
});

it('the feed item has the size of the tagged file and the soundbites that are cut', async () => {
	const sound = encodedSound(60, ['-b:a', '64k'], 'mp3');
	/** Two sentences of 20 s, of two labels that are one speaker. */
	const words = Array.from({ length: 40 }, (_word, id) => ({
		id,
		start: id + 5,
		end: id + 5.9,
		text: id % 20 === 19 ? `word${id}.` : `word${id}`,
	}));
	const paragraphs = [0, 1].map((id) => ({
		id,
		speaker: `Speaker ${id + 1}`,
		start: id * 20 + 5,
		end: id * 20 + 24.9,
	}));
	const transcription = { paragraphs: [], transcription: { words, paragraphs } };
	edits.script = {
		'/v2/edits/a': [status('a', 'SUCCESS', { ...fullResult(edits.service.url), transcription })],
		'/download/full': [{ body: sound, headers: { 'Content-Type': 'audio/mpeg' } }],
	};
	const { speakers: speaker } = speakers(['Speaker 1', 'Anna'], ['Speaker 2', 'Anna']);
	const { out } = await edits.run('getResult', ['a'], {
		...groupedFormats(['feedItem', 'soundbites']),
		returnAs: 'json',
		feedItem: { audioUrl: 'https://cdn.example.com/12.mp3' },
		writeTags: { title: 'Bread' },
		transcriptAndNotes: { cutSoundbites: true, speakers: speaker },
	});
	const { binary = {}, json } = out[0];
	const { feedItem, soundbites } = json.formats as {
		feedItem: string;
		soundbites: Array<{ startSeconds: number; durationSeconds: number }>;
	};
	const file = await readFile(binary.data);
	expect(file.length).toBeGreaterThan(sound.length);
	expect(feedItem).toContain(`length="${file.length}"`);
	expect(Object.keys(binary)).toEqual(['data', 'soundbite1']);
	expect(soundbites).toHaveLength(1);
	const [{ startSeconds, durationSeconds }] = soundbites;
	expect(Math.abs(startSeconds - 4.9)).toBeLessThan(0.1);
	expect(Math.abs(durationSeconds - 40)).toBeLessThan(1);
	const bite = `<podcast:soundbite startTime="${startSeconds}" duration="${durationSeconds}">`;
	expect(feedItem).toContain(bite);
	const { format } = probed(await readFile(binary.soundbite1), 'a.mp3');
	expect(Math.abs(Number(format.duration) - durationSeconds)).toBeLessThan(0.2);
});
