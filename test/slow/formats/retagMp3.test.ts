import { endTags } from '../../../formats/tags/id3/endTags';
import { changedByMutagen, readWithMutagen } from '../../../testkit/media/mutagen';
import { encodedSound } from '../../../testkit/media/mediaFiles';
import {
	CHAPTERS,
	TAGS,
	TEXTS,
	manyChapters,
	redCover,
	tagged,
} from '../../../testkit/media/retagged';

let plain: Buffer;
let cover: Buffer;

beforeAll(() => {
	plain = encodedSound(10, ['-b:a', '96k', '-id3v2_version', '0'], 'mp3');
	cover = redCover();
});

function mutagenTexts(file: Buffer): Record<string, unknown> {
	const { tags } = readWithMutagen(file, 'a.mp3');
	return Object.fromEntries(Object.entries(tags).map(([id, tag]) => [id, tag.text ?? tag.bytes]));
}

it('mutagen reads every field', () => {
	const picture = { mimeType: 'image/jpeg', bytes: cover } as const;
	const file = tagged(plain, { tags: { ...TAGS, cover: picture } });
	const read = mutagenTexts(file);
	expect(read).toEqual({
		TIT2: `['${TEXTS.title}']`,
		TPE1: `['${TEXTS.author}']`,
		TALB: `["${TEXTS.show}"]`,
		TRCK: "['12']",
		TPOS: "['3']",
		TDRC: "['2026-11-22 16:20:00']",
		TLAN: "['por']",
		TDES: `['${TEXTS.description.replace('\n', '\\n')}']`,
		'COMM::por': `['${TEXTS.description.replace('\n', '\\n')}']`,
		'APIC:': cover.length,
	});
});

it('mutagen reads the chapters and the times at which they end', () => {
	const open = CHAPTERS.map(({ startSeconds, title, url }) => ({ startSeconds, title, url }));
	const file = tagged(plain, { chapters: open });
	const { tags } = readWithMutagen(file, 'a.mp3');
	expect(tags['CTOC:toc']).toMatchObject({ child_element_ids: ['chp1', 'chp2', 'chp3'] });
	expect(tags['CHAP:chp2']).toMatchObject({ start_time: 4_500, end_time: 7_250 });
	expect(JSON.stringify(tags['CHAP:chp2'])).toContain(CHAPTERS[1].url);
});

it('mutagen reads 600 chapters, in tables of contents of 255', () => {
	const file = tagged(plain, { chapters: manyChapters(600, 100) });
	const { tags } = readWithMutagen(file, 'a.mp3');
	expect(tags['CTOC:toc']).toMatchObject({ child_element_ids: ['toc1', 'toc2', 'toc3'] });
	expect(Object.keys(tags).filter((name) => name.startsWith('CHAP'))).toHaveLength(600);
});

/** Tags of all versions, as mutagen writes them. */
const OLD_FRAMES = `
from mutagen.id3 import ID3, TIT2, TCON, TDRC, COMM, APIC, CTOC, CHAP
tags = ID3()
tags.add(TIT2(encoding=3, text='Old title'))
tags.add(TCON(encoding=1, text='Podcast ½'))
tags.add(TDRC(encoding=0, text='2019-05-17T08:30'))
tags.add(COMM(encoding=1, lang='eng', desc='', text='Old comment'))
tags.add(COMM(encoding=1, lang='eng', desc='iTunNORM', text='0000'))
tags.add(APIC(encoding=0, mime='image/png', type=3, desc='', data=b'\\xff\\x00\\xff\\xe0' * 300))
tags.add(APIC(encoding=0, mime='image/png', type=4, desc='back', data=b'back'))
tags.add(CTOC(element_id='t', flags=3, child_element_ids=['a', 'b'], sub_frames=[]))
tags.add(CHAP(element_id='a', start_time=0, end_time=2000, sub_frames=[TIT2(encoding=1, text='Old ' + 'chapter ' * 30)]))
tags.add(CHAP(element_id='b', start_time=2000, end_time=9000, sub_frames=[TIT2(encoding=3, text='Second')]))
`;

describe.each([
	['2.4', 'tags.save(path)'],
	['2.3', 'tags.update_to_v23(); tags.save(path, v2_version=3)'],
	['2.4 with unsynchronisation', 'tags.unsynch = True; tags.save(path)'],
])('a file with a tag of version %s', (_version, save) => {
	let old: Buffer;

	beforeAll(() => {
		old = changedByMutagen(plain, 'a.mp3', `${OLD_FRAMES}\n${save}`);
	});

	it('keeps the fields that are not set', () => {
		const before = readWithMutagen(old, 'a.mp3').tags;
		const file = tagged(old, { tags: { title: 'New', description: 'Now' } });
		const { tags } = readWithMutagen(file, 'a.mp3');
		const { TIT2, TDES, 'COMM::XXX': comment, ...kept } = tags;
		expect([TIT2, TDES, comment].map((one) => one.text)).toEqual(["['New']", "['Now']", "['Now']"]);
		const expected: typeof before = { ...before };
		delete expected.TIT2;
		delete expected['COMM::eng'];
		// Version 2.3 has no seconds, and mutagen reads some.
		const seconds = { TDRC: { text: "['2019-05-17 08:30:00']" } };
		expect({ ...kept, ...seconds }).toEqual({ ...expected, ...seconds });
		expect(kept.TDRC.text).toContain('2019-05-17 08:30');
		expect(Object.keys(kept).sort()).toEqual([
			'APIC:',
			'APIC:back',
			'CHAP:a',
			'CHAP:b',
			'COMM:iTunNORM:eng',
			'CTOC:t',
			'TCON',
			'TDRC',
		]);
		expect(file.subarray(file.length - plain.length).equals(plain)).toBe(true);
	});

	it('loses its chapters and its cover to new ones', () => {
		const picture = { mimeType: 'image/jpeg', bytes: cover } as const;
		const file = tagged(old, { tags: { cover: picture }, chapters: CHAPTERS });
		const { tags } = readWithMutagen(file, 'a.mp3');
		expect(
			Object.keys(tags)
				.filter((name) => /^(CHAP|CTOC|APIC)/.test(name))
				.sort(),
		).toEqual(['APIC:', 'APIC:back', 'CHAP:chp1', 'CHAP:chp2', 'CHAP:chp3', 'CTOC:toc']);
		expect(tags['APIC:']).toMatchObject({ mime: 'image/jpeg', bytes: cover.length });
	});

	it('is overwritten or removed', () => {
		const overwritten = tagged(old, { tags: { title: 'New' }, existing: 'overwrite' });
		expect(mutagenTexts(overwritten)).toEqual({ TIT2: "['New']" });
		const removed = tagged(old, { tags: { title: 'New' }, existing: 'remove' });
		expect(removed.equals(plain)).toBe(true);
		const onlyChapters = tagged(old, { chapters: CHAPTERS, existing: 'remove' });
		expect(Object.keys(mutagenTexts(onlyChapters)).sort()).toEqual([
			'CHAP:chp1',
			'CHAP:chp2',
			'CHAP:chp3',
			'CTOC:toc',
		]);
	});
});

it('what mutagen writes at the end of a file is found', () => {
	const code = `
from mutagen.apev2 import APEv2
from mutagen.id3 import ID3, TIT2
tags = ID3()
tags.add(TIT2(encoding=3, text='Old'))
tags.save(path, v1=2)
ape = APEv2()
ape['Title'] = 'Old'
ape.save(path)
`;
	const file = changedByMutagen(plain, 'a.mp3', code);
	const { sizeBytes } = endTags(file);
	const whole = file.subarray(0, file.length - sizeBytes);
	expect(whole.subarray(-plain.length).equals(plain)).toBe(true);
});

describe('tags that no program here writes', () => {
	const bytes = (...parts: Array<string | number[]>) =>
		Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1')));
	const textOf = (file: Buffer, id: string) => mutagenTexts(file)[id];

	it('of version 2.2, with a picture', () => {
		const frames = bytes(
			'TT2',
			[0, 0, 4, 0],
			'Old',
			'TYE',
			[0, 0, 5, 0],
			'2009',
			'TDA',
			[0, 0, 5, 0],
			'1705',
			'TCO',
			[0, 0, 4, 0],
			'Pod',
			'PIC',
			[0, 0, 9, 0],
			'JPG',
			[3, 0],
			'abc',
			[0, 0, 0, 0],
		);
		const old = Buffer.concat([bytes('ID3', [2, 0, 0, 0, 0, 0, frames.length]), frames, plain]);
		const file = tagged(old, { tags: { title: 'New' } });
		expect(textOf(file, 'TIT2')).toBe("['New']");
		expect(textOf(file, 'TDRC')).toBe("['2009-05-17']");
		expect(textOf(file, 'TCON')).toBe("['Pod']");
		expect(readWithMutagen(file, 'a.mp3').tags['APIC:']).toMatchObject({
			mime: 'image/jpeg',
			bytes: 3,
		});
	});

	it('of version 2.3 with an extended header and unsynchronisation', () => {
		const extended = bytes([0, 0, 0, 6, 0, 0, 0, 0, 0, 0]);
		const frames = bytes('TCON', [0, 0, 0, 5, 0, 0, 0], 'P', [0xff, 0], 'd', [0xff, 0]);
		const body = Buffer.concat([extended, frames]);
		const old = Buffer.concat([bytes('ID3', [3, 0, 0xc0, 0, 0, 0, body.length]), body, plain]);
		expect(textOf(tagged(old, { tags: { title: 'New' } }), 'TCON')).toBe("['Pÿdÿ']");
	});

	it('of version 2.4 with an extended header and a footer, and a second tag', () => {
		const body = bytes([0, 0, 0, 6, 1, 0], 'TCON', [0, 0, 0, 4, 0, 0, 0], 'Pod');
		const size = [0, 0, 0, body.length];
		const tag = Buffer.concat([
			bytes('ID3', [4, 0, 0x50], size),
			body,
			bytes('3DI', [4, 0, 0x50], size),
		]);
		const file = tagged(Buffer.concat([tag, tag, plain]), { tags: { title: 'New' } });
		expect(mutagenTexts(file)).toEqual({ TIT2: "['New']", TCON: "['Pod']" });
		expect(file.subarray(file.length - plain.length).equals(plain)).toBe(true);
		expect(file.indexOf('ID3', 3, 'latin1')).toBe(-1);
	});
});
