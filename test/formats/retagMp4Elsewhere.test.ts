import { box, boxesIn, words } from '../../formats/tags/mp4/boxes';
import { TagBlanker } from '../../formats/tags/mp4/tagBlanker';
import { moveSound } from '../../formats/tags/mp4/tracks';
import { encodedSound, soundHash } from '../../testkit/media/mediaFiles';
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
