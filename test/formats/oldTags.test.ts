import { frame, id3Tag } from '../../formats/tags/id3/frames';
import { retag } from '../../formats/tags/retag';
import { withoutEndTags } from '../../nodes/core/fetch/content';
import { encodedSound } from '../../testkit/media/mediaFiles';
import { readWithMusicMetadata } from '../../testkit/media/musicMetadata';
import { TAGS, apeTag, id3v1Tag, redCover, startsOf, tagged } from '../../testkit/media/retagged';

/** What an MP3 file has of tags before it is tagged. The slow tests let mutagen write and read them. */

let plain: Buffer;

beforeAll(() => {
	plain = encodedSound(2, ['-b:a', '96k', '-id3v2_version', '0'], 'mp3');
});

const bytes = (...parts: Array<string | number[]>) =>
	Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1')));

/** A tag of a version, with this content. */
const tagOf = (version: number, flags: number, content: Buffer) =>
	Buffer.concat([
		bytes('ID3', [version, 0, flags, 0, 0, content.length >> 7, content.length & 0x7f]),
		content,
	]);

/** A frame of version 2.2, with a text or these bytes. */
const frame2 = (id: string, body: Buffer) => Buffer.concat([bytes(id, [0, 0, body.length]), body]);

/** The same of version 2.3. */
const frame3 = (id: string, body: Buffer, flags = 0) =>
	Buffer.concat([bytes(id, [0, 0, 0, body.length, 0, flags]), body]);

const text = (words: string) => bytes([0], words);

/** Reads what a file with an old tag has after it got a title. */
async function afterTitle(old: Buffer) {
	const file = tagged(Buffer.concat([old, plain]), { tags: { title: 'New' } });
	expect(file.subarray(file.length - plain.length).equals(plain)).toBe(true);
	return { file, ...(await readWithMusicMetadata(file)) };
}

describe('an old tag is kept', () => {
	it('of version 2.2, with its date and its picture', async () => {
		const picture = bytes([0], 'JPG', [3, 0], 'abc');
		const frames = [
			frame2('TT2', text('Old')),
			frame2('TYE', text('2009')),
			frame2('TDA', text('1705')),
			frame2('TIM', text('0830')),
			frame2('TCO', text('Pod')),
			frame2('PIC', picture),
		];
		const { file, tags, common } = await afterTitle(tagOf(2, 0, Buffer.concat(frames)));
		expect(tags).toMatchObject({ TIT2: 'New', TDRC: '2009-05-17T08:30', TCON: 'Pod', APIC: 3 });
		expect(common.picture).toMatchObject([{ format: 'image/jpeg', type: 'Cover (front)' }]);
		expect(file.includes('\0image/jpeg\0')).toBe(true);
	});

	it.each([
		['the year', ['2009'], '2009'],
		['the year and the day', ['2009', '1705'], '2009-05-17'],
		['the year and the time, which means nothing without a day', ['2009', '', '0830'], '2009'],
		['a day that is none', ['2009', '17', '0830'], '2009'],
		['a time that is none', ['2009', '1705', '8:3'], '2009-05-17'],
	])('of version 2.3, with as much of its date as there is: %s', async (_what, parts, date) => {
		const frames = parts.map((part, at) => frame3(['TYER', 'TDAT', 'TIME'][at], text(part)));
		const { tags } = await afterTitle(tagOf(3, 0, Buffer.concat(frames)));
		expect(tags.TDRC).toBe(date);
	});

	it('of version 2.3, with its extended header, its unsynchronization and a group', async () => {
		const extended = bytes([0, 0, 0, 6, 0, 0, 0, 0, 0, 0]);
		const frames = bytes('TCON', [0, 0, 0, 5, 0, 0, 0], 'P', [0xff, 0], 'd', [0xff, 0]);
		const grouped = frame3('TALB', bytes([7, 0], 'Show'), 0x20);
		const old = tagOf(3, 0xc0, Buffer.concat([extended, frames, grouped]));
		const { file, tags } = await afterTitle(old);
		expect(tags).toMatchObject({ TCON: 'Pÿdÿ', TALB: 'Show' });
		expect(file.includes('\x07\0Show')).toBe(false);
	});

	it('of version 2.3, in which no flag stands for a footer', async () => {
		const old = tagOf(3, 0x10, frame3('TPE1', text('Anna')));
		const { common } = await afterTitle(old);
		expect(common).toMatchObject({ title: 'New', artist: 'Anna' });
	});

	it('of version 2.3, with the first year and the chapters in the form of 2.4', async () => {
		const chapter = (id: string, startMs: number, title: string) => {
			const times = Buffer.alloc(16, 0xff);
			times.writeUInt32BE(startMs, 0);
			times.writeUInt32BE(startMs + 900, 4);
			// A size over 127 differs between the versions.
			const words = text(title.padEnd(150, '.'));
			return frame3('CHAP', Buffer.concat([bytes(`${id}\0`), times, frame3('TIT2', words)]));
		};
		const contents = frame3('CTOC', bytes('t\0', [3, 2], 'a\0b\0'));
		const frames = [frame3('TORY', text('1999')), contents, chapter('a', 0, 'One')];
		const old = tagOf(3, 0, Buffer.concat([...frames, chapter('b', 1_000, 'Two')]));
		const { chapters, tags } = await afterTitle(old);
		expect(tags.TDOR).toBe('1999');
		expect(chapters).toEqual([
			{ start: 0, title: 'One'.padEnd(150, '.') },
			{ start: 1, title: 'Two'.padEnd(150, '.') },
		]);
	});
});

describe('an old tag of version 2.4 is kept', () => {
	it('of version 2.4, with an extended header and a footer, and a second tag goes', async () => {
		const body = bytes([0, 0, 0, 6, 1, 0], 'TCON', [0, 0, 0, 4, 0, 0, 0], 'Pod');
		const footer = bytes('3DI', [4, 0, 0x50, 0, 0, 0, body.length]);
		const tag = Buffer.concat([tagOf(4, 0x50, body), footer]);
		const { file, tags } = await afterTitle(Buffer.concat([tag, tag]));
		expect(tags).toMatchObject({ TIT2: 'New', TCON: 'Pod' });
		expect(file.indexOf('ID3', 3, 'latin1')).toBe(-1);
	});

	it('of version 2.4, with the plain sizes that older iTunes wrote', async () => {
		const long = text('x'.repeat(299));
		const plainSize = Buffer.concat([bytes('TALB', [0, 0, 1, 44, 0, 0]), long]);
		const old = tagOf(4, 0, Buffer.concat([plainSize, frame('TCON', text('Pod'))]));
		expect((await afterTitle(old)).tags).toMatchObject({ TALB: 'x'.repeat(299), TCON: 'Pod' });
	});

	it('with thousands of frames', async () => {
		const many = Array.from({ length: 3_000 }, () => frame('PRIV', bytes('a\0')));
		const { tags } = await afterTitle(id3Tag([...many, frame('TCON', text('Pod'))]));
		expect(tags.TCON).toBe('Pod');
	});
});

it.each([
	[3, [frame3('TSIZ', text('1')), frame3('TALB', text('x'), 0x80), frame3('TCON', text('y'))]],
	[2, [frame2('TSI', text('1')), frame2('XYZ', text('x')), frame2('TCO', text('y'))]],
])('says how many old tags of version 2.%d have no form in version 2.4', (version, frames) => {
	const old = Buffer.concat([tagOf(version, 0, Buffer.concat(frames)), plain]);
	const { note } = retag(old, { tags: { title: 'New' }, existing: 'keep' });
	expect(note).toBe('2 old tags left out of the edited file, because ID3v2.4 has no form for them');
});

describe('new tags replace', () => {
	const old = () =>
		id3Tag([
			frame('COMM', bytes([3], 'eng\0', 'old comment')),
			frame('COMM', bytes([1], 'eng', [0xff, 0xfe, 0, 0, 0xff, 0xfe], 'a\0w\0i\0d\0e\0')),
			frame('COMM', bytes([3], 'eng', 'iTunNORM\0', 'loudness of iTunes')),
			frame('APIC', bytes('\0image/png\0', [3, 0], 'old front')),
			frame('APIC', bytes('\0image/png\0', [0, 0], 'old other')),
			frame('APIC', bytes('\0image/png\0', [4, 0], 'old back')),
			frame('CTOC', bytes('t\0', [3, 1], 'a\0')),
		]);
	const left = (request: Parameters<typeof tagged>[1]) => {
		const file = tagged(Buffer.concat([old(), plain]), request);
		const all = [
			'old comment',
			'a\0w\0i',
			'loudness',
			'old front',
			'old other',
			'old back',
			'CTOC',
		];
		return all.filter((one) => file.includes(one, 0, 'latin1'));
	};
	const COVERS = ['old front', 'old other', 'old back'];

	it('only what they are: not a comment with a name, not the picture of the back', () => {
		expect(left({ tags: { title: 'New' } })).toHaveLength(7);
		expect(left({ tags: { description: 'New' } })).toEqual(['loudness', ...COVERS, 'CTOC']);
		const cover = { mimeType: 'image/jpeg', bytes: redCover() } as const;
		expect(left({ tags: { cover } })).toEqual([
			'old comment',
			'a\0w\0i',
			'loudness',
			'old back',
			'CTOC',
		]);
	});

	it('the chapters, if there are new ones', async () => {
		const chapters = [{ startSeconds: 1, title: 'New' }];
		const file = tagged(Buffer.concat([old(), plain]), { chapters });
		const read = await readWithMusicMetadata(file);
		expect(read.chapters.map(({ start, title }) => [start, title])).toEqual(startsOf(chapters));
		expect(file.includes('t\0\x03\x01a\0', 0, 'latin1')).toBe(false);
	});

	it('the chapters by none', () => {
		expect(left({ chapters: [] })).not.toContain('CTOC');
	});

	it.each([
		['keep', undefined],
		['overwrite', 'cut'],
		['remove', 'cut'],
	] as const)('the tags after the sound, too, unless existing ones stay: %s', (existing, end) => {
		const made = retag(Buffer.concat([old(), plain]), { tags: TAGS, existing });
		expect(made.end).toBe(end);
		expect(made.head.includes('Bread')).toBe(existing !== 'remove');
	});
});

it('finds tags of some hundred kB at the end of a file', () => {
	const end = Buffer.concat([apeTag('Cover', 'x'.repeat(300_000)), id3v1Tag('Old')]);
	const { content, found } = withoutEndTags(Buffer.concat([plain, end]));
	expect(found).toEqual({ sizeBytes: end.length, isCut: false });
	expect(content).toEqual(plain);
});
