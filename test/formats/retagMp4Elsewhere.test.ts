import { box, boxAt, boxesIn, words } from '../../formats/tags/mp4/boxes';
import { TagBlanker } from '../../formats/tags/mp4/tagBlanker';
import { moveSound, withChapterReference } from '../../formats/tags/mp4/tracks';
import { userDataOf } from '../../formats/tags/mp4/userData';
import { encodedSound, probed, soundHash } from '../../testkit/media/mediaFiles';
import { TAGS, retagged } from '../../testkit/media/retagged';

const AAC = ['-c:a', 'aac', '-b:a', '64k', '-metadata', 'genre=Podcast'];

const FAST_START = [...AAC, '-movflags', '+faststart'];

let plain: Buffer;

beforeAll(() => {
	plain = encodedSound(10, FAST_START, 'm4a');
});

/** XMP as Adobe's programs write it, with the ID of its box first. */
const XMP = box(
	'uuid',
	Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'),
	Buffer.from('<?xpacket begin=""?><x:xmpmeta>Secret XMP</x:xmpmeta>'),
);

/** What says that a picture is one all around: no tag. */
const SPHERICAL = box(
	'uuid',
	Buffer.from('ffcc8263f8554a938814587a02521fdd', 'hex'),
	Buffer.from('all around'),
);

describe('tags that are not in the index', () => {
	it('as XMP in the file and its movie go, and what says how to show a track stays', () => {
		const moov = boxesIn(plain, 0, plain.length).find(({ type }) => type === 'moov')!;
		const [head, ...rest] = boxesIn(plain, moov.bodyStart, moov.end).map((one) =>
			plain.subarray(one.start, one.end),
		);
		const index = rest.map((part) =>
			part.toString('latin1', 4, 8) === 'trak' ? box('trak', part.subarray(8), SPHERICAL) : part,
		);
		const made = box('moov', head, XMP, ...index);
		moveSound(made.subarray(8), {
			from: moov.end,
			byBytes: made.length + XMP.length - (moov.end - moov.start),
		});
		const source = Buffer.concat([
			plain.subarray(0, moov.start),
			XMP,
			made,
			plain.subarray(moov.end),
		]);
		expect(soundHash(source, 'a.m4a')).toBe(soundHash(plain, 'a.m4a'));
		expect(retagged(source, { tags: TAGS }).file.includes('Secret XMP')).toBe(true);
		const { file } = retagged(source, { existing: 'remove' });
		expect(file.includes('Secret')).toBe(false);
		expect(file.includes('all around')).toBe(true);
		expect(soundHash(file, 'a.m4a')).toBe(soundHash(plain, 'a.m4a'));
	});

	it.each([1, 7, 1_000, 100_000])('go after the sound, in chunks of %d bytes', (chunkBytes) => {
		const tags = [
			box('udta', box('meta', Buffer.from('Secret title'))),
			XMP,
			box('free', Buffer.from('Secret rest')),
		];
		const long = Buffer.concat([
			Buffer.from('00000001756474610000000000000018', 'hex'),
			Buffer.from('Secret 8'),
		]);
		const source = Buffer.concat([plain, ...tags, long, box('meta')]);
		const blanker = new TagBlanker();
		const made: Buffer[] = [];
		for (let at = 0; at < source.length; at += chunkBytes) {
			made.push(blanker.push(Buffer.from(source.subarray(at, at + chunkBytes))));
		}
		const file = Buffer.concat([...made, blanker.rest()]);
		expect(file.length).toBe(source.length);
		expect(file.includes('Secret')).toBe(false);
		expect(file.subarray(0, plain.length).equals(plain)).toBe(true);
		expect(boxesIn(file, plain.length, file.length).map(({ type }) => type)).toEqual(
			Array(5).fill('free'),
		);
		expect(soundHash(file, 'a.m4a')).toBe(soundHash(plain, 'a.m4a'));
	});
});

describe('tags outside the boxes', () => {
	it('are not looked for after bytes that are no box, or after a box to the end of the file', () => {
		const whole = Buffer.concat([words(0), Buffer.from('mdat'), box('udta', Buffer.from('sound'))]);
		for (const bytes of [
			whole,
			Buffer.concat([words(3), Buffer.from('????'), box('udta'), box('udta')]),
		]) {
			const blanker = new TagBlanker();
			const made = Buffer.concat([blanker.push(Buffer.from(bytes)), blanker.rest()]);
			expect(made.equals(bytes)).toBe(true);
		}
	});
});

const CHAPTER = { startSeconds: 12, title: 'Late' };

describe('a file as it is, or as far as it can be tagged', () => {
	const retagTitle = (file: Buffer) => retagged(file, { tags: TAGS, chapters: [CHAPTER] });

	it('says that chapters begin after its end', () => {
		const made = retagTitle(plain);
		expect(made.isTagged).toBe(true);
		expect(made.note).toBe(
			'1 of 1 chapters left out of the edited file, because it ends before they begin',
		);
	});

	it('may begin with free space in many boxes', () => {
		const [first] = boxesIn(plain, 0, plain.length);
		const free = Array.from({ length: 20 }, () => box('free'));
		const rest = Buffer.concat([...free, plain.subarray(first.end)]);
		const index = rest.indexOf('moov', 0, 'latin1') - 4;
		const moved = Buffer.from(rest.subarray(index));
		const moov = boxesIn(moved, 0, moved.length)[0];
		const from = first.end + moov.end;
		const content = moved.subarray(moov.bodyStart, moov.end);
		moveSound(content, { from, byBytes: free.length * 8 });
		const file = Buffer.concat([plain.subarray(0, first.end), rest.subarray(0, index), moved]);
		expect(soundHash(file, 'a.m4a')).toBe(soundHash(plain, 'a.m4a'));
		const made = retagTitle(file);
		expect(made.isTagged).toBe(true);
		expect(soundHash(made.file, 'a.m4a')).toBe(soundHash(plain, 'a.m4a'));
	});

	it('is too large if the places in its index have no room for more', () => {
		const file = Buffer.from(plain);
		file.writeUInt32BE(0xffff_fff0, file.indexOf('stco', 0, 'latin1') + 12);
		const made = retagTitle(file);
		expect(made.file.equals(file)).toBe(true);
		expect(made.note).toMatch(/because it is too large for its index$/);
	});

	it.each([
		['keep', undefined],
		['overwrite', 'blanked'],
		['remove', 'blanked'],
	] as const)('has its tags after the sound blanked unless they stay: %s', (existing, end) => {
		const made = retagged(plain, { tags: TAGS, existing });
		expect(made.end).toBe(end);
		const isPortuguese = JSON.stringify(probed(made.file, 'a.m4a').streams).includes('"por"');
		expect(isPortuguese).toBe(existing !== 'remove');
	});
});

describe('the user data of a movie', () => {
	const userData = (old: Buffer, existing: 'keep' | 'overwrite') =>
		Buffer.concat(
			userDataOf(old, boxAt(old, 0), { tags: { title: 'New' }, existing }, [
				{ startSeconds: 0, endSeconds: 1, title: `a${'词'.repeat(100)}` },
			]),
		);

	it('keeps what others have written there, unless it is to be overwritten', () => {
		const old = box('udta', box('Xtra', Buffer.from('of another program')));
		expect(userData(old, 'keep').includes('of another program')).toBe(true);
		expect(userData(old, 'overwrite').includes('of another program')).toBe(false);
	});

	it('has the starts of chapters in ten millionths of a second', () => {
		const [list] = userDataOf(Buffer.of(), undefined, { tags: {}, existing: 'keep' }, [
			{ startSeconds: 2.5, endSeconds: 3, title: 'A' },
		]);
		const start = list.indexOf('chpl', 0, 'latin1') + 'chpl'.length + 9;
		expect(list.readBigUInt64BE(start)).toBe(25_000_000n);
	});

	it('has titles of chapters of at most 255 bytes, in whole characters', () => {
		const made = userData(box('udta'), 'keep').toString();
		expect(/a词+\ufffd?/.exec(made)?.[0]).toBe(`a${'词'.repeat(84)}`);
	});
});

it('moves only what is behind the index', () => {
	const places = box('stco', words(0, 2, 10, 100));
	expect(moveSound(places, { from: 50, byBytes: 5 })).toBe(true);
	expect(places.equals(box('stco', words(0, 2, 10, 105)))).toBe(true);
});

it('keeps what a track refers to beside chapters', () => {
	const other = box('cdsc', words(7));
	const [track] = withChapterReference([box('trak', box('tkhd'), box('tref', other))], 3);
	expect(track.equals(box('trak', box('tkhd'), box('tref', other, box('chap', words(3)))))).toBe(
		true,
	);
});

it('reads thousands of boxes, but not more than 10,000', () => {
	const boxes = (count: number) => Buffer.concat(Array.from({ length: count }, () => box('free')));
	expect(boxesIn(boxes(9_000), 0, 72_000)).toHaveLength(9_000);
	expect(() => boxesIn(boxes(10_001), 0, 80_008)).toThrow('10000 boxes');
});
