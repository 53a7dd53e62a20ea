import { box } from '../../formats/tags/mp4/boxes';
import { neededHeadBytes, retag } from '../../formats/tags/retag';

/*
 * Tags of 16 MB are read at once, and n8n answers nobody meanwhile. Each of these files blocked it for
 * 4 to 60 seconds. Times differ by machine, so the tests look at what is given up.
 */

const REQUEST = { tags: { title: 'Bread' }, existing: 'keep' } as const;

const frameOfSound = Buffer.alloc(417);
frameOfSound.set([0xff, 0xfb, 0x90]);
const SOUND = Buffer.concat(Array.from({ length: 30 }, () => frameOfSound));

/** An ID3v2 frame of version 2.3 or, if it is short, 2.4. */
function older(id: string, body: Buffer): Buffer {
	const header = Buffer.alloc(10);
	header.write(id);
	header.writeUInt32BE(body.length, 4);
	return Buffer.concat([header, body]);
}

function tag(version: number, body: Buffer): Buffer {
	const size = [21, 14, 7, 0].map((shift) => (body.length >> shift) & 0x7f);
	return Buffer.concat([Buffer.from([0x49, 0x44, 0x33, version, 0, 0, ...size]), body]);
}

it.each([2, 3, 4])('does not convert millions of frames of version 2.%i', (version) => {
	const one = version === 2 ? Buffer.from('TT2\0\0\0') : older('TIT3', Buffer.alloc(0));
	const file = Buffer.concat([tag(version, Buffer.alloc(100_000 * one.length, one)), SOUND]);
	expect(() => retag(file, REQUEST)).toThrow('more than 5000 frames');
});

it('does not convert millions of frames inside a chapter', () => {
	const inside = Buffer.alloc(1_000, older('TIT3', Buffer.alloc(0)));
	const chapter = older('CHAP', Buffer.concat([Buffer.alloc(17), inside]));
	const file = Buffer.concat([tag(3, chapter), SOUND]);
	expect(() => retag(file, REQUEST)).toThrow('more than 20 frames');
});

it('leaves chapters inside chapters as they are: each level would copy all that is in it', () => {
	let chapters: Buffer = Buffer.alloc(0);
	for (let depth = 0; depth < 3_000; depth++) {
		chapters = older('CHAP', Buffer.concat([Buffer.alloc(17), chapters]));
	}
	const { isTagged, head } = retag(Buffer.concat([tag(3, chapters), SOUND]), REQUEST);
	expect(isTagged).toBe(true);
	expect(head.subarray(-SOUND.length).equals(SOUND)).toBe(true);
});

it('asks for no more of a file that begins with thousands of empty tags', () => {
	const tags = Buffer.alloc(100_000, tag(4, Buffer.alloc(0)));
	expect(neededHeadBytes(tags)).toBeLessThan(tags.length);
	expect(retag(tags, REQUEST)).toMatchObject({ head: tags, isTagged: false });
});

it('asks for no more of an MP4 file that begins with thousands of empty boxes', () => {
	const file = Buffer.concat([box('ftyp', Buffer.from('M4A ')), Buffer.alloc(80_000, box('free'))]);
	expect(neededHeadBytes(file)).toBe(file.length);
});

it('does not read millions of boxes of an index', () => {
	const index = box('moov', Buffer.alloc(8 * 20_000, box('free')));
	const file = Buffer.concat([box('ftyp', Buffer.from('M4A ')), index]);
	expect(() => retag(file, REQUEST)).toThrow('more than 10000 boxes');
});
