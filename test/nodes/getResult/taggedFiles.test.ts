import { PassageCutter } from '../../../formats/tags/mp3/passageCutter';
import { id3PrefixBytes } from '../../../formats/tags/id3/retagMp3';
import { probed, soundHash } from '../../../testkit/media/mediaFiles';
import { readWithMusicMetadata } from '../../../testkit/media/musicMetadata';
import { readFile, startEngine } from '../../../testkit/n8n/n8nEngine';
import { apeTag, id3v1Tag } from '../../../testkit/media/retagged';
import {
	cover,
	edits,
	serve,
	serveCut,
	serveEdit,
	longSentence,
	run,
	seen,
	service,
	sound,
	TAGS,
} from './tagging';

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
		edits.script['/v2/edits/a'] = serveEdit(longSentence());
		for (const more of [{}, { writeTags: TAGS }]) {
			const { item, file, hints } = await run({ cutSoundbites: true, ...more });
			expect(hints).toEqual([]);
			expect(Object.keys(item.binary!)).toEqual(['data', 'soundbite1']);
			expect(item.binary!.soundbite1.fileName).toBe('episode 12-soundbite-1.mp3');
			const bite = await readFile(item.binary!.soundbite1);
			expect(soundHash(bite, 'a.mp3')).toMatch(/^MD5=/);
			const { tags } = await readWithMusicMetadata(bite);
			expect(tags.TIT2).toMatch(/^word0 /);
			const isTagged = 'writeTags' in more;
			expect(tags.TPE1).toBe(isTagged ? TAGS.author : undefined);
			expect(tags.TALB).toBe(isTagged ? TAGS.show : undefined);
			const { duration } = probed(bite, 'a.mp3').format;
			expect(Math.abs(Number(duration) - 40.2)).toBeLessThan(1);
			expect(soundHash(file, 'a.mp3')).toBe(soundHash(sound, 'a.mp3'));
		}
	});

	it('fetches the file again if the connection breaks off, in the tags or after them', async () => {
		for (const bytes of [5, 4_000, 500_000]) {
			service.seen.length = 0;
			edits.script['/download/full'] = (number) =>
				(number === 1 ? serveCut(sound, bytes) : serve(sound))(number);
			const { file, error } = await run({ writeTags: TAGS, cutSoundbites: true });
			expect(error).toBeUndefined();
			expect(seen().filter((path) => path === '/download/full')).toHaveLength(2);
			expect(soundHash(file, 'a.mp3')).toBe(soundHash(sound, 'a.mp3'));
			expect((await readWithMusicMetadata(file)).tags.TIT2).toBe('Bread');
		}
	});
});

it('says nothing of a try that broke off, in which the file could not be tagged', async () => {
	const other = Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(200_000, 1)]);
	edits.script['/download/full'] = (number) =>
		(number === 1 ? serveCut(other, 100_000) : serve(sound))(number);
	const { item, file, hints } = await run({ writeTags: TAGS });
	expect((await readWithMusicMetadata(file)).tags.TIT2).toBe('Bread');
	expect(item.json).not.toHaveProperty('fileNote');
	expect(hints).toEqual([]);
});

describe.each(['filesystem', 'default'] as const)(
	'the tags of a file, with binaries kept in %s',
	(mode) => {
		beforeAll(async () => await startEngine(mode));
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
			edits.script['/download/full'] = serve(body);
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
				edits.script['/download/full'] = serve(old);
				const { item, file, error } = await run({ writeTags });
				expect(error).toBeUndefined();
				expect((await readWithMusicMetadata(file)).tags).toEqual({});
				expect(long.subarray(-file.length).equals(file)).toBe(true);
				expect(soundHash(file, 'a.mp3')).toBe(soundHash(long, 'a.mp3'));
				expect(item.binary!.data.bytes).toBe(file.length);
				expect(item.json).not.toHaveProperty('fileNote');
				expect(seen().filter((path) => path === '/download/full')).toHaveLength(1);
			});
		});
	},
);

it('leaves out soundbites of which a part could not be cut, and stores the file', async () => {
	edits.script['/v2/edits/a'] = serveEdit(longSentence());
	const push = jest.spyOn(PassageCutter.prototype, 'push').mockImplementationOnce(() => {
		throw new Error('this part is odd');
	});
	const { item, file, hints } = await run({ cutSoundbites: true });
	push.mockRestore();
	expect(Object.keys(item.binary!)).toEqual(['data']);
	expect(hints.join()).toContain('1 of 1 soundbites left out');
	expect(soundHash(file, 'a.mp3')).toBe(soundHash(sound, 'a.mp3'));
});
