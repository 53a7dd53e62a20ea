import type { INodeParameters } from 'n8n-workflow';

import { frame, id3Tag } from '../../../formats/tags/id3/frames';
import { probedChapters } from '../../../testkit/media/mediaFiles';
import { readWithMusicMetadata } from '../../../testkit/media/musicMetadata';
import { startEngine, storeFile } from '../../../testkit/n8n/n8nEngine';
import { whileHeldBack } from '../../../testkit/service/requestsUnderWay';
import {
	cover,
	edits,
	longSentence,
	run,
	seen,
	serve,
	serveEdit,
	service,
	sound,
	TAGS,
} from './tagging';

beforeAll(async () => await startEngine());

describe('Write Tags and Cover', () => {
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
		edits.script['/large'] = serve(Buffer.concat([cover, Buffer.alloc(11_000_000)]));
		edits.script['/page'] = serve(Buffer.from('<html>'));
		const notes: Record<string, RegExp> = {
			missing:
				/there is no file at the download link\. The file's host (says: .*[^.]|answered 404)\.$/,
			large: /larger than 10 MB/,
			page: /neither a JPEG nor a PNG/,
		};
		for (const [name, note] of Object.entries(notes)) {
			const { file, item, error, hints } = await run({
				writeTags: { ...TAGS, coverUrl: `${service.url}/${name}?sig=secret` },
			});
			expect(error).toBeUndefined();
			expect(hints).toContainEqual(expect.stringMatching(/^edit a: Cover left out .*[^.]\.$/));
			expect(item.json.fileNote).toMatch(/^Cover left out of the edited file, because the cover /);
			expect(item.json.fileNote).toMatch(note);
			expect(item.json.fileNote).not.toContain('secret');
			expect((await readWithMusicMetadata(file)).tags.TIT2).toBe('Bread');
		}
	});
});

describe('Write Tags, if something is odd', () => {
	it('leaves out a cover whose host stops sending it', async () => {
		edits.script['/cover.png'] = () => (response) => {
			response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': 99_999 });
			response.write(cover);
			const closed = new Promise((resolve) => response.on('close', resolve));
			void whileHeldBack(response.socket?.remotePort, async () => await closed);
		};
		const coverUrl = `${service.url}/cover.png`;
		const { file, item } = await run({ writeTags: { ...TAGS, coverUrl } });
		expect(item.json.fileNote).toMatch(/^Cover left out of the edited file, because /);
		expect((await readWithMusicMetadata(file)).tags.TIT2).toBe('Bread');
	});

	it('replaces an old tag of some megabytes', async () => {
		const old = id3Tag([
			frame('TIT2', Buffer.from('\0Old')),
			frame('PRIV', Buffer.alloc(6_000_000)),
		]);
		edits.script['/download/full'] = serve(Buffer.concat([old, sound]));
		const { file, item } = await run({ writeTags: { ...TAGS, existing: 'overwrite' } });
		expect(item.json).not.toHaveProperty('fileNote');
		expect((await readWithMusicMetadata(file)).tags.TIT2).toBe('Bread');
		expect(file.length).toBeLessThan(sound.length + 1_000);
	});

	it('says that the summary has no chapters, and that there are no soundbites', async () => {
		edits.script['/v2/edits/a'] = serveEdit({ summarization: null, transcription: null });
		const { item, file } = await run({
			embedChapters: 'summary',
			cutSoundbites: true,
		});
		expect(item.json.fileNote).toMatch(/Chapters left out.*Soundbites left out/);
		expect(file.equals(sound)).toBe(true);
	});
});

describe('Cut Soundbites', () => {
	const CUT = { cutSoundbites: true };

	it('makes an item of each with One Item per File, and says what it is', async () => {
		edits.script['/v2/edits/a'] = serveEdit(longSentence());
		const { out } = await run({ ...CUT, oneItemPerFile: true });
		expect(out.map(({ json }) => [json.kind, json.editedFileName])).toEqual([
			['edited', 'episode 12.mp3'],
			['soundbite', 'episode 12-soundbite-1.mp3'],
		]);
	});

	it('says which are missing, because the file is no MP3 file', async () => {
		edits.script['/v2/edits/a'] = serveEdit(longSentence());
		const wav = Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(100_000, 1)]);
		edits.script['/download/full'] = serve(wav);
		const { item } = await run(CUT);
		expect(item.json.fileNote).toBe(
			'1 of 1 soundbites left out, because the edited file is not an MP3 file or does not have these passages.',
		);
	});

	it('says nothing of a file that is not fetched', async () => {
		const { hints, out } = await run({ download: [], writeTags: TAGS, options: CUT });
		expect(hints).toEqual([]);
		expect(out[0].json).not.toHaveProperty('fileNote');
	});
});

describe('Write Tags, with fields of the form', () => {
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
