import { PassageCutter } from '../../formats/tags/mp3/passageCutter';
import { decoded, encodedSound, probed } from './mediaFiles';

export const PASSAGES = [
	{ startSeconds: 0, durationSeconds: 2 },
	{ startSeconds: 3.21, durationSeconds: 4 },
	{ startSeconds: 5, durationSeconds: 3.5 },
	{ startSeconds: 17.9, durationSeconds: 60 },
];

/** Cuts a file that comes in chunks of these sizes, again and again. */
export function cut(
	file: Buffer,
	passages: typeof PASSAGES,
	chunkBytes: readonly number[] = [65_536],
) {
	const cutter = new PassageCutter(passages);
	for (let start = 0, count = 0; start < file.length; count++) {
		const end = start + chunkBytes[count % chunkBytes.length];
		cutter.push(file.subarray(start, end));
		start = end;
	}
	return cutter.files();
}

/** Where a part of a sound begins in the whole, in bytes; -1 if it is nowhere. */
function placeOf(part: Buffer, whole: Buffer): number {
	for (let at = whole.indexOf(part.subarray(0, 64)); at !== -1; ) {
		if (whole.subarray(at, at + part.length).equals(part)) return at;
		at = whole.indexOf(part.subarray(0, 64), at + 1);
	}
	return -1;
}

/** Splits every header; single bytes would take seconds for each file. */
const SMALL_BYTES = 3;

/**
 * Describes how passages of a file in each of these encodings are cut.
 *
 * @param encodings ffmpeg's arguments for each
 */
export function describePassages(encodings: Readonly<Record<string, string[]>>): void {
	describe.each(Object.entries(encodings))('a passage of an MP3 file: %s', (_title, args) => {
		let file: Buffer;
		let whole: Buffer;
		let bytesPerSecond: number;

		beforeAll(() => {
			file = encodedSound(20, args, 'mp3');
			whole = decoded(file, 'whole.mp3');
			bytesPerSecond = whole.length / Number(probed(file, 'whole.mp3').format.duration);
		});

		it('decodes without complaint to the same samples as in the file, at its time', () => {
			const files = cut(file, PASSAGES);
			PASSAGES.forEach(({ startSeconds, durationSeconds }, index) => {
				const sound = decoded(files[index]!, 'passage.mp3');
				const seconds = Math.min(durationSeconds, 20 - startSeconds);
				const length = sound.length / bytesPerSecond;
				expect(length).toBeGreaterThan(seconds);
				expect(length).toBeLessThan(seconds + 0.4);
				// The frames before the passage fade in.
				const inner = sound.subarray(Math.ceil((sound.length - seconds * bytesPerSecond) / 8) * 8);
				const part = inner.subarray(0, Math.floor((inner.length * 0.9) / 8) * 8);
				const at = placeOf(part, whole);
				expect(at).toBeGreaterThanOrEqual(0);
				expect(Math.abs(at / bytesPerSecond - startSeconds)).toBeLessThan(0.2);
			});
		});

		it('is the same however the file is divided into chunks', () => {
			const expected = cut(file, PASSAGES);
			for (const chunks of [[SMALL_BYTES], [3, 1_000, 17], [file.length]]) {
				const same = cut(file, PASSAGES, chunks).map((one, index) => one?.equals(expected[index]!));
				expect(same).toEqual([true, true, true, true]);
			}
		});

		it('says its own length and has no information frame of the whole file in it', () => {
			const [, second] = cut(file, PASSAGES);
			const { duration } = probed(second!, 'passage.mp3').format;
			expect(Math.abs(Number(duration) - 4)).toBeLessThan(0.4);
			expect(second!.toString('latin1').match(/Xing|Info/g)).toEqual(['Xing']);
		});
	});
}
