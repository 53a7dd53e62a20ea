import fc from 'fast-check';

import { PassageCutter } from '../../../formats/tags/mp3/passageCutter';
import { neededHeadBytes, retag } from '../../../formats/tags/retag';
import { encodedSound } from '../../../testkit/media/mediaFiles';
import { changedByMutagen } from '../../../testkit/media/mutagen';

/*
 * An edited file may be damaged, or made by anybody. Whatever its bytes are: what is not a tag stays, and
 * the size that Get Result compares with what was promised can be computed.
 */

const REQUEST = {
	tags: { title: 'Bread', language: 'eng' },
	chapters: [{ startSeconds: 0, title: 'Welcome' }],
	existing: 'keep',
} as const;

let starts: Buffer[];

beforeAll(() => {
	const metadata = ['-metadata', 'title=Old', '-metadata', 'genre=Old'];
	const mp3 = encodedSound(1, ['-b:a', '64k', '-id3v2_version', '3', ...metadata], 'mp3');
	const chapters = `
from mutagen.id3 import ID3, CHAP, CTOC, TIT2
tags = ID3(path)
tags.add(CTOC(element_id='t', flags=3, child_element_ids=['a'], sub_frames=[]))
tags.add(CHAP(element_id='a', start_time=0, end_time=900, sub_frames=[TIT2(text='Old')]))
tags.save(path, v2_version=VERSION)`;
	const m4a = encodedSound(1, ['-c:a', 'aac', '-movflags', '+faststart', ...metadata], 'm4a');
	starts = [
		changedByMutagen(mp3, 'a.mp3', chapters.replace('VERSION', '3')),
		changedByMutagen(mp3, 'a.mp3', chapters.replace('VERSION', '4')),
		m4a,
	];
});

/** Calls with files of which some bytes are changed, and which are cut somewhere. */
function withDamaged(check: (file: Buffer) => void): void {
	const damage = fc.tuple(
		fc.nat(2),
		fc.array(fc.tuple(fc.nat(3_000), fc.nat(255)), { maxLength: 12 }),
		fc.nat(20_000),
	);
	const property = fc.property(damage, ([which, changes, length]) => {
		const file = Buffer.from(starts[which].subarray(0, length));
		for (const [at, value] of changes) if (at < file.length) file[at] = value;
		check(file);
	});
	fc.assert(property, { numRuns: 2_000, seed: 18 });
}

it('a damaged start of a file is retagged or left as it is, and never fails', () => {
	withDamaged((file) => {
		expect(neededHeadBytes(file)).toBeGreaterThanOrEqual(0);
		const made = retag(file, REQUEST, file.length);
		if (!made.isTagged) expect(made.head).toBe(file);
		else if (file.length >= 8_000) {
			expect(made.head.subarray(-200).equals(file.subarray(-200))).toBe(true);
		}
	});
});

it('a cutter takes any bytes', () => {
	withDamaged((file) => {
		const cutter = new PassageCutter([{ startSeconds: 0.2, durationSeconds: 0.5 }]);
		cutter.push(file);
		expect(cutter.files()).toHaveLength(1);
	});
});
