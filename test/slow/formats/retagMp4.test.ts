import { encodedSound } from '../../../testkit/media/mediaFiles';
import { readWithMutagen } from '../../../testkit/media/mutagen';
import {
	CHAPTERS,
	TAGS,
	manyChapters,
	redCover,
	retagged,
	startsOf,
} from '../../../testkit/media/retagged';

const FAST_START = [
	'-c:a',
	'aac',
	'-b:a',
	'64k',
	'-metadata',
	'genre=Podcast',
	'-movflags',
	'+faststart',
];

let plain: Buffer;

beforeAll(() => {
	plain = encodedSound(10, FAST_START, 'm4a');
});

it('mutagen reads every field', () => {
	const cover = redCover();
	const picture = { mimeType: 'image/jpeg', bytes: cover } as const;
	const made = retagged(plain, { tags: { ...TAGS, cover: picture } });
	expect(readWithMutagen(made.file, 'a.m4a').tags).toMatchObject({
		'©nam': [TAGS.title],
		'©ART': [TAGS.author],
		'©alb': [TAGS.show],
		'©day': [TAGS.date],
		'©gen': ['Podcast'],
		desc: [TAGS.description],
		trkn: ['(12, 0)'],
		disk: ['(3, 0)'],
		tves: ['12'],
		tvsn: ['3'],
		covr: [cover.length],
	});
});

it('mutagen reads the chapters, which stay if none are given', () => {
	const { file } = retagged(plain, { chapters: CHAPTERS });
	const expected = startsOf(CHAPTERS);
	expect(readWithMutagen(file, 'a.m4a').chapters).toEqual(expected);
	const kept = retagged(file, { tags: { title: 'New' } }).file;
	expect(readWithMutagen(kept, 'a.m4a')).toMatchObject({
		chapters: expected,
		tags: { '©nam': ['New'] },
	});
});

it('mutagen reads the 255 chapters that its list can hold', () => {
	const chapters = manyChapters(300, 50);
	expect(readWithMutagen(retagged(plain, { chapters }).file, 'a.m4a').chapters).toHaveLength(255);
});

it('mutagen finds nothing else in overwritten tags, and nothing where they were removed', () => {
	const overwritten = retagged(plain, { tags: { title: 'New' }, existing: 'overwrite' }).file;
	expect(readWithMutagen(overwritten, 'a.m4a').tags).toEqual({ '©nam': ['New'] });
	const removed = retagged(plain, { existing: 'remove' }).file;
	expect(readWithMutagen(removed, 'a.m4a').tags).toEqual({});
});
