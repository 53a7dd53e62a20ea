import { withEnds, withinFile } from '../../formats/tags/episodeTags';
import { endTags } from '../../formats/tags/id3/endTags';
import { languageCode } from '../../formats/tags/languageCode';
import { mp3Header } from '../../formats/tags/mp3/frames';
import { MAX_HEAD_BYTES, retag } from '../../formats/tags/retag';
import { encodedSound, probed, probedChapters, soundHash } from '../../testkit/media/mediaFiles';
import { readWithMusicMetadata } from '../../testkit/media/musicMetadata';
import {
	CHAPTERS,
	TAGS,
	TEXTS,
	apeTag,
	id3v1Tag,
	lyrics3,
	manyChapters,
	redCover,
	startsOf,
	tagged,
} from '../../testkit/media/retagged';

let plain: Buffer;
let cover: Buffer;

beforeAll(() => {
	plain = encodedSound(10, ['-b:a', '96k', '-id3v2_version', '0'], 'mp3');
	cover = redCover();
});

it('music-metadata and ffprobe read every field', async () => {
	const picture = { mimeType: 'image/jpeg', bytes: cover } as const;
	const file = tagged(plain, { tags: { ...TAGS, cover: picture } });
	const { common } = await readWithMusicMetadata(file);
	expect(common).toMatchObject({
		title: TEXTS.title,
		artist: TEXTS.author,
		album: TEXTS.show,
		track: { no: 12 },
		disk: { no: 3 },
		language: 'por',
		date: TEXTS.date,
		picture: [{ format: 'image/jpeg', bytes: cover.length, type: 'Cover (front)' }],
	});
	const { format, streams } = probed(file, 'a.mp3');
	expect(format.tags).toMatchObject({
		title: TEXTS.title,
		artist: TEXTS.author,
		album: TEXTS.show,
		track: '12',
		disc: '3',
	});
	expect(streams.map(({ codec_name }) => codec_name)).toEqual(['mp3', 'mjpeg']);
});

it('ffprobe and music-metadata read the chapters, the last of which ends with the file', async () => {
	const open = CHAPTERS.map(({ startSeconds, title, url }) => ({ startSeconds, title, url }));
	const file = tagged(plain, { chapters: open });
	const { chapters, format } = probed(file, 'a.mp3');
	expect(probedChapters(file, 'a.mp3')).toEqual(startsOf(open));
	expect(chapters.map(({ end_time }) => Number(end_time)).slice(0, 2)).toEqual([4.5, 7.25]);
	expect(Math.abs(Number(chapters[2].end_time) - Number(format.duration))).toBeLessThan(0.1);
	const read = await readWithMusicMetadata(file);
	expect(read.chapters.map(({ start, title }) => [start, title])).toEqual(startsOf(open));
	// The form of a link that podcast players look for.
	expect(file.includes(`\0chapter url\0${CHAPTERS[1].url}`)).toBe(true);
});

describe('an MP3 file without an information frame', () => {
	const request = { tags: {}, existing: 'keep' } as const;
	const chapters = [
		{ startSeconds: 1, title: 'A' },
		{ startSeconds: 8, title: 'B' },
	];
	let unframed: Buffer;

	beforeAll(() => {
		const args = ['-b:a', '96k', '-id3v2_version', '0', '-write_xing', '0'];
		unframed = encodedSound(10, args, 'mp3');
	});

	it('has a last chapter that ends with it, judged by its size', () => {
		const { end_time } = probed(tagged(unframed, { chapters }), 'a.mp3').chapters[1];
		expect(Math.abs(Number(end_time) - 10)).toBeLessThan(0.1);
	});

	it('keeps all chapters: with a changing bit rate, its size says nothing about its length', () => {
		const made = retag(unframed, { ...request, chapters }, 1_000);
		expect(made.note).toBeUndefined();
		expect(probedChapters(made.head, 'a.mp3')).toEqual(startsOf(chapters));
	});

	it('may have its first frame a little after the tags', () => {
		const late = Buffer.concat([Buffer.alloc(2_000), unframed]);
		expect(retag(late, { ...request, chapters })).toMatchObject({ isTagged: true });
		const lost = Buffer.concat([Buffer.alloc(6_000), unframed]);
		expect(retag(lost, { ...request, chapters })).toMatchObject({ isTagged: false });
	});

	it("may have Fraunhofer's, which says the length, too", () => {
		const frame = Buffer.alloc(mp3Header(unframed, 0)!.frameBytes);
		unframed.copy(frame, 0, 0, 4);
		frame.write('VBRI', 36, 'latin1');
		// 1,152 samples each: 6 s.
		frame.writeUInt32BE(230, 50);
		const made = retag(Buffer.concat([frame, unframed]), { ...request, chapters });
		expect(made.note).toBe(
			'1 of 2 chapters left out of the edited file, because it ends before they begin',
		);
		expect(probedChapters(made.head, 'a.mp3')).toEqual(startsOf(chapters.slice(0, 1)));
	});
});

describe('the chapters of a file', () => {
	const at = (startSeconds: number, endSeconds?: number) => ({
		startSeconds,
		title: `at ${startSeconds}`,
		...(endSeconds !== undefined && { endSeconds }),
	});
	const within = (seconds: number | undefined, ...chapters: Array<ReturnType<typeof at>>) => {
		const { request, note } = withinFile({ tags: {}, existing: 'keep', chapters }, seconds);
		return [
			request.chapters?.map(({ startSeconds, endSeconds }) => [startSeconds, endSeconds]),
			note,
		];
	};

	it('are those that begin before its end, and none ends after it', () => {
		expect(within(10, at(0, 5), at(5, 12), at(9.99), at(10), at(11))).toEqual([
			[
				[0, 5],
				[5, undefined],
				[9.99, undefined],
			],
			'2 of 5 chapters left out of the edited file, because it ends before they begin',
		]);
		expect(within(10, at(9))).toEqual([[[9, undefined]], undefined]);
		expect(within(undefined, at(99))).toEqual([[[99, undefined]], undefined]);
	});

	it('end where the next one begins, whatever their order, and never before they begin', () => {
		const ends = (...chapters: Array<ReturnType<typeof at>>) =>
			withEnds(chapters, 60).map(({ startSeconds, endSeconds }) => [startSeconds, endSeconds]);
		expect(ends(at(30), at(0), at(10, 12))).toEqual([
			[0, 10],
			[10, 12],
			[30, 60],
		]);
		expect(ends(at(5, 5), at(70))).toEqual([
			[5, 6],
			[70, 71],
		]);
	});
});

it.each([
	['de', 'deu'],
	['pt-BR', 'por'],
	['pt_BR', 'por'],
	[' EN ', 'eng'],
	['zh-Hans', 'zho'],
	['fra', 'fra'],
	['xx', undefined],
	['German', undefined],
])('the language %s is written as %s', (language, code) => {
	expect(languageCode(language)).toBe(code);
});

it('the sound is the same bit for bit, and so are the bytes after the tag, with an ID3v1 tag at the end', () => {
	const old = Buffer.concat([plain, Buffer.from('TAGold'.padEnd(128, '\0'), 'latin1')]);
	const file = tagged(old, { tags: TAGS, chapters: CHAPTERS });
	expect(file.subarray(file.length - old.length).equals(old)).toBe(true);
	expect(soundHash(file, 'a.mp3')).toBe(soundHash(plain, 'a.mp3'));
});

describe('the tags at the end of a file', () => {
	const [ape, id3v1] = [apeTag('Title', 'Old'), id3v1Tag('Old')];
	const longId3v1 = Buffer.from('TAG+Secret'.padEnd(227, '\0'), 'latin1');
	const id3v2 = Buffer.from('ID3\x04\0\x10\0\0\0\x06Secret3DI\x04\0\x10\0\0\0\x06', 'latin1');

	it.each<[string, Buffer[]]>([
		['none', []],
		['ID3v1', [id3v1]],
		['APE', [ape]],
		['APE without a header', [ape.subarray(32, -12), Buffer.alloc(12)]],
		['APE and ID3v1', [ape, id3v1]],
		['ID3v1 and APE', [id3v1, ape]],
		['Lyrics3 and ID3v1', [lyrics3('[00:01]Secret words', 1), id3v1]],
		['Lyrics3v2, the longer ID3v1, and ID3v1', [lyrics3('Secret', 2), longId3v1, id3v1]],
		['APE, Lyrics3v2 and ID3v1', [ape, lyrics3('Secret words', 2), id3v1]],
		['an ID3v2 tag, whose footer says how long it is', [id3v2]],
	])('are found: %s', (_what, tags) => {
		const end = Buffer.concat(tags);
		const found = { sizeBytes: end.length, isCut: false };
		expect(endTags(Buffer.concat([plain, end]))).toEqual(found);
		expect(endTags(end)).toEqual(found);
	});

	it.each(['unread', '      ', '12,345'])('are none where their length is %j', (digits) => {
		const sound = Buffer.concat([plain, Buffer.from(`${digits}LYRICS200`, 'latin1')]);
		expect(endTags(sound)).toEqual({ sizeBytes: digits.trim() === '' ? 15 : 0, isCut: false });
	});

	it('stay if they begin before the bytes that are there', () => {
		const found = endTags(Buffer.concat([apeTag('Title', 'x'.repeat(500)), id3v1]).subarray(100));
		expect(found).toEqual({ sizeBytes: 128, isCut: true });
	});
});

it('takes 600 chapters', () => {
	const many = manyChapters(600, 100);
	const file = tagged(plain, { chapters: many });
	expect(probedChapters(file, 'a.mp3')).toEqual(startsOf(many));
	// A table of contents counts its entries in one byte.
	const tables = [
		...file.toString('latin1').matchAll(/CTOC.{6}toc\d*\0.([^])((?:(?:chp|toc)\d+\0)+)/gs),
	];
	const counts = tables.map(([, count]) => count.charCodeAt(0));
	expect(counts).toEqual(tables.map(([, , names]) => names.split('\0').length - 1));
	expect(counts).toEqual([3, 255, 255, 90]);
});

it('says of each chapter that only its times count, not the bytes where it begins and ends', () => {
	const frames = tagged(plain, { chapters: manyChapters(2, 1) }).toString('latin1');
	const offsets = [...frames.matchAll(/CHAP.{6}chp\d\0.{8}(.{8})/gs)].map(([, bytes]) => bytes);
	expect(offsets).toEqual(Array(2).fill('\xff'.repeat(8)));
});

describe('tags that no program here writes', () => {
	const bytes = (...parts: Array<string | number[]>) =>
		Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1')));

	it('of a version that does not exist yet stay, and nothing is written', () => {
		const old = Buffer.concat([bytes('ID3', [5, 0, 0, 0, 0, 0, 4], 'abcd'), plain]);
		const made = retag(old, { tags: TAGS, existing: 'keep' });
		expect(made).toEqual({ head: old, isTagged: false, note: expect.stringContaining('version') });
	});

	it('longer than 16 MB stay, and nothing is written', () => {
		const head = Buffer.alloc(MAX_HEAD_BYTES);
		bytes('ID3', [4, 0, 0, 0x10, 0, 0, 0]).copy(head);
		const made = retag(head, { tags: TAGS, existing: 'keep' });
		expect(made).toMatchObject({ isTagged: false, note: expect.stringContaining('16 MB') });
		expect(made.head).toBe(head);
	});
});
