import type { IBinaryData, IDataObject, INodeParameters } from 'n8n-workflow';

import { id3PrefixBytes } from '../../../formats/tags/id3/retagMp3';
import { fullResult } from '../../support/fullResult';
import { encodedSound, ffmpeg, probed, probedChapters, soundHash } from '../../support/mediaFiles';
import { readWithMusicMetadata } from '../../support/musicMetadata';
import { readFile, startEngine, storeFile } from '../../support/n8nEngine';
import { apeTag, id3v1Tag } from '../../support/retagged';
import { useScriptedEdits } from '../../support/scriptedEdits';
import type { Reply } from '../../support/scriptedService';
import { runOne } from '../../support/useService';

type Handler = (number: number) => Reply;

const TAGS = { title: 'Bread', author: 'Anna', show: 'Slow Kitchen', episodeNumber: 12 };
let sound: Buffer;
let cover: Buffer;
const edits = useScriptedEdits();
const { service } = edits;
const seen = () => service.seen.map(({ path }) => path.split('?')[0]);

beforeAll(() => {
	sound = encodedSound(60, ['-b:a', '128k', '-metadata', 'genre=Podcast'], 'mp3');
	const picture = ['-frames:v', '1', '-f', 'image2pipe', '-c:v', 'png', '-'];
	cover = ffmpeg(['-f', 'lavfi', '-i', 'color=red:s=64x64', ...picture]);
});

beforeEach(() => {
	edits.script = {
		'/v2/edits/a': giveEdit(),
		'/download/full': give(sound),
		'/cover.png': give(cover),
	};
});

/** Sends a body in parts of 50 KB, so that n8n reads it in several chunks. */
function give(body: Buffer, type = 'audio/mpeg', status = 200): Handler {
	return () => (response) => {
		response.writeHead(status, { 'Content-Type': type, 'Content-Length': body.length });
		for (let start = 0; start < body.length; start += 50_000) {
			response.write(body.subarray(start, start + 50_000));
		}
		response.end();
	};
}

/** Sends some of a body, then cuts the connection. */
function giveCut(body: Buffer, bytes: number): Handler {
	return () => (response) => {
		response.writeHead(200, { 'Content-Type': 'audio/mpeg', 'Content-Length': body.length });
		response.write(body.subarray(0, bytes), () => response.destroy());
	};
}

function giveEdit(more: object = {}): Handler {
	const result = { ...fullResult(service.url), ...more };
	return () => ({ body: { task_id: 'a', status: 'SUCCESS', result } });
}

/** A transcript of one sentence that lasts from 5 s to 45 s. */
function longSentence(): object {
	const text = Array.from({ length: 40 }, (_word, index) => `word${index}`).join(' ');
	const words = text.split(' ').map((word, index) => ({
		id: index,
		start: 5 + index,
		end: 5.9 + index,
		text: index === 39 ? `${word}.` : word,
	}));
	const paragraphs = [{ id: 0, start: 5, end: 45, text: `${text}.` }];
	return { transcription: { paragraphs, transcription: { words, paragraphs: [] } } };
}

async function run(
	parameters: INodeParameters,
	binary: Record<string, IBinaryData> = {},
	json: IDataObject = {},
) {
	const items = [{ json: { editId: 'a', ...json }, binary }];
	const ended = await runOne(service, 'getResult', parameters, items);
	const [item] = ended.out;
	const file = item?.binary?.data && (await readFile(item.binary.data));
	return { ...ended, item, file: file! };
}

describe.each(['filesystem', 'default'] as const)('with binaries kept in %s', (mode) => {
	beforeAll(async () => await startEngine(mode));

	it('writes tags and chapters while the file streams in; its sound is the same', async () => {
		const writeTags = { ...TAGS, coverUrl: `${service.url}/cover.png` };
		const { item, file, error, hints } = await run({ writeTags, embedChapters: 'summary' });
		expect(error).toBeUndefined();
		expect(hints).toEqual([]);
		expect((await readWithMusicMetadata(file)).tags).toMatchObject({
			TIT2: 'Bread',
			TPE1: 'Anna',
			TALB: 'Slow Kitchen',
			TRCK: '12',
			TCON: 'Podcast',
			APIC: cover.length,
		});
		expect(
			probed(file, 'a.mp3').chapters.map(({ start_time, tags }) => [Number(start_time), tags]),
		).toEqual([
			[0, { title: 'Welcome' }],
			[12, { title: 'Patience' }],
		]);
		expect(soundHash(file, 'a.mp3')).toBe(soundHash(sound, 'a.mp3'));
		expect(item.binary!.data).toMatchObject({ fileName: 'episode 12.mp3', bytes: file.length });
		expect(item.json).not.toHaveProperty('fileNote');
	});

	it('cuts soundbites into their own fields, with or without tags', async () => {
		edits.script['/v2/edits/a'] = giveEdit(longSentence());
		for (const more of [{}, { writeTags: TAGS }]) {
			const { item, file, hints } = await run({ options: { cutSoundbites: true }, ...more });
			expect(hints).toEqual([]);
			expect(Object.keys(item.binary!)).toEqual(['data', 'soundbite1']);
			expect(item.binary!.soundbite1.fileName).toBe('episode 12-soundbite-1.mp3');
			const bite = await readFile(item.binary!.soundbite1);
			expect(soundHash(bite, 'a.mp3')).toMatch(/^MD5=/);
			expect((await readWithMusicMetadata(bite)).tags.TIT2).toMatch(/^word0 /);
			const { duration } = probed(bite, 'a.mp3').format;
			expect(Math.abs(Number(duration) - 40.2)).toBeLessThan(1);
			expect(soundHash(file, 'a.mp3')).toBe(soundHash(sound, 'a.mp3'));
		}
	});

	it('fetches the file again if the connection breaks off, in the tags or after them', async () => {
		for (const bytes of [5, 4_000, 500_000]) {
			service.seen.length = 0;
			edits.script['/download/full'] = (number) =>
				(number === 1 ? giveCut(sound, bytes) : give(sound))(number);
			const { file, error } = await run({ writeTags: TAGS, options: { cutSoundbites: true } });
			expect(error).toBeUndefined();
			expect(seen().filter((path) => path === '/download/full')).toHaveLength(2);
			expect(soundHash(file, 'a.mp3')).toBe(soundHash(sound, 'a.mp3'));
			expect((await readWithMusicMetadata(file)).tags.TIT2).toBe('Bread');
		}
	});

	it.each([
		['a WAV file', () => Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(200_000, 1)])],
		['a few bytes', () => Buffer.from('bytes of a file')],
		['one byte', () => Buffer.from('b')],
		['a cut MP3 tag', () => Buffer.from('ID3\x04\0\0\0\x10\0\0too short', 'latin1')],
		[
			'a tag that claims 200 MB',
			() => Buffer.from(`ID3\x04\0\0\x60\0\0\0${'x'.repeat(90_000)}`, 'latin1'),
		],
	])('stores %s as it is, and says why it has no tags', async (_title, make) => {
		const body = make();
		edits.script['/download/full'] = give(body);
		const { item, file, error, hints } = await run({ writeTags: TAGS });
		expect(error).toBeUndefined();
		expect(file.equals(body)).toBe(true);
		expect(hints).toEqual([
			expect.stringMatching(
				/^edit a: Tags and chapters left out of the edited file, which stays as it is, because /,
			),
		]);
		expect(item.json.fileNote).toMatch(/^Tags and chapters left out/);
	});

	describe('removes the tags at the end of a file', () => {
		const ends = [apeTag('Place', 'A secret place'), id3v1Tag('A secret title')];
		const writeTags = { existing: 'remove' };

		it.each([1, 4])('of %d MB while it streams in', async (megabytes) => {
			const frames = sound.subarray(id3PrefixBytes(sound));
			const long = Buffer.concat([sound, ...Array<Buffer>(megabytes - 1).fill(frames)]);
			const old = Buffer.concat([long, ...ends]);
			expect((await readWithMusicMetadata(old)).tags).toHaveProperty('Place');
			edits.script['/download/full'] = give(old);
			const { item, file, error } = await run({ writeTags });
			expect(error).toBeUndefined();
			expect((await readWithMusicMetadata(file)).tags).toEqual({});
			expect(long.subarray(-file.length).equals(file)).toBe(true);
			expect(soundHash(file, 'a.mp3')).toBe(soundHash(long, 'a.mp3'));
			expect(item.binary!.data.bytes).toBe(file.length);
			expect(item.json).not.toHaveProperty('fileNote');
		});
	});
});

describe('Write Tags', () => {
	beforeAll(async () => await startEngine());

	it('takes a cover from an input field, and title and description from the summary', async () => {
		const picture = await storeFile(cover, 'cover.png', 'image/png');
		const writeTags = {
			coverField: 'picture',
			fillFromSummary: true,
			language: 'pt-BR',
			date: '2026-11-22T10:00:00.000+01:00',
		};
		const { file } = await run({ writeTags }, { picture });
		expect((await readWithMusicMetadata(file)).tags).toMatchObject({
			TIT2: 'Bread & Time',
			TDES: 'Maria Jones on slow bread.',
			TLAN: 'por',
			TDRC: '2026-11-22T09:00:00',
			APIC: cover.length,
		});
	});

	it('leaves out a cover that is missing, too large or no picture, and writes the rest', async () => {
		edits.script['/large'] = give(Buffer.concat([cover, Buffer.alloc(11_000_000)]));
		edits.script['/page'] = give(Buffer.from('<html>'));
		const notes: Record<string, RegExp> = {
			missing:
				/there is no file at the download link\. The file's host (says: .*[^.]|answered 404)\.$/,
			large: /larger than 10 MB/,
			page: /neither a JPEG nor a PNG/,
		};
		for (const [name, note] of Object.entries(notes)) {
			const { file, item, error } = await run({
				writeTags: { ...TAGS, coverUrl: `${service.url}/${name}?sig=secret` },
			});
			expect(error).toBeUndefined();
			expect(item.json.fileNote).toMatch(/^Cover left out of the edited file, because the cover /);
			expect(item.json.fileNote).toMatch(note);
			expect(item.json.fileNote).not.toContain('secret');
			expect((await readWithMusicMetadata(file)).tags.TIT2).toBe('Bread');
		}
	});

	it('says that the summary has no chapters, and that there are no soundbites', async () => {
		edits.script['/v2/edits/a'] = giveEdit({ summarization: null, transcription: null });
		const { item, file } = await run({
			embedChapters: 'summary',
			options: { cutSoundbites: true },
		});
		expect(item.json.fileNote).toMatch(/Chapters left out.*Soundbites left out/);
		expect(file.equals(sound)).toBe(true);
	});

	it.each([
		[{ writeTags: { date: 'soon' } }, /'Date' is not a date/],
		[{ writeTags: { season: 'two' } }, /'Season Number' must be a whole number/],
		[{ writeTags: { language: 'Klingon' } }, /'Language' is not a known code: 'Klingon'/],
		[{ writeTags: { coverField: 'picture' } }, /no file in the input field 'picture'/],
		[{ writeTags: { coverUrl: 'file:///etc/passwd' } }, /'Cover URL' is not an http or https URL/],
		[
			{ embedChapters: 'json', chaptersJson: '{' },
			/'Chapters to Embed \(JSON\)' is not valid JSON/,
		],
		[{ embedChapters: 'json', chaptersJson: '{}' }, /Embed \(JSON\)' contains no chapters/],
		[
			{
				embedChapters: 'list',
				chaptersList: { chapter: [{ title: 'a', startSeconds: 1 }, { title: '' }] },
			},
			/Chapter 2 in 'Chapters to Embed'/,
		],
	])('refuses %j before the first request', async (parameters: INodeParameters, message) => {
		const { error } = await run(parameters);
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(/^Nothing was sent\. /);
		expect(seen()).toEqual([]);
	});

	it.each([
		[
			'list',
			{
				chaptersList: {
					chapter: [
						{ title: 'Intro', startSeconds: 0 },
						{ title: 'End', startSeconds: 30.5 },
					],
				},
			},
		],
		[
			'json',
			{
				chaptersJson:
					'{"version":"1.2.0","chapters":[{"startTime":0,"title":"Intro"},{"startTime":30.5,"title":"End"}]}',
			},
		],
		['json', { chaptersJson: '[{"start":0,"title":"Intro"},{"start":"30.5","title":"End"}]' }],
	])('embeds chapters from %s', async (embedChapters, more) => {
		const { file } = await run({ embedChapters, ...more });
		expect(probedChapters(file, 'a.mp3')).toEqual([
			[0, 'Intro'],
			[30.5, 'End'],
		]);
		expect((await readWithMusicMetadata(file)).tags.TCON).toBe('Podcast');
	});
});
