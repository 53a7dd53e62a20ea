import { PassageCutter } from '../../formats/mp3/passageCutter';
import { mp3Header } from '../../formats/mp3/frameHeader';
import { decoded, encodedSound, probed } from '../support/mediaFiles';

/** Encodings with different frame sizes, bit reservoirs and versions of MPEG. */
const ENCODINGS: Record<string, string[]> = {
	'128 kbit/s': ['-b:a', '128k'],
	'320 kbit/s, 48 kHz': ['-b:a', '320k', '-ar', '48000'],
	'changing bit rate': ['-q:a', '5'],
	'mono, 32 kHz': ['-b:a', '64k', '-ac', '1', '-ar', '32000'],
	'MPEG 2, 22 kHz': ['-b:a', '32k', '-ar', '22050'],
	'MPEG 2.5, 8 kHz': ['-b:a', '8k', '-ac', '1', '-ar', '8000'],
	'without a bit reservoir': ['-b:a', '128k', '-reservoir', '0'],
	'without an information frame': ['-b:a', '96k', '-write_xing', '0'],
	'with a tag': ['-b:a', '128k', '-metadata', `title=${'long '.repeat(5_000)}`],
};

const PASSAGES = [
	{ startSeconds: 0, durationSeconds: 2 },
	{ startSeconds: 3.21, durationSeconds: 4 },
	{ startSeconds: 5, durationSeconds: 3.5 },
	{ startSeconds: 17.9, durationSeconds: 60 },
];

/** Cuts a file that comes in chunks of these sizes, again and again. */
function cut(file: Buffer, passages: typeof PASSAGES, chunkBytes: readonly number[] = [65_536]) {
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

describe.each(Object.entries(ENCODINGS))('a passage of an MP3 file: %s', (_title, args) => {
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
		for (const chunks of [[1], [3, 1_000, 17], [file.length]]) {
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

it('a passage after the end of the file is missing, and other files have none', () => {
	const file = encodedSound(2, ['-b:a', '64k'], 'mp3');
	expect(cut(file, [{ startSeconds: 30, durationSeconds: 15 }])).toEqual([undefined]);
	const noise = Buffer.alloc(4_000_000);
	// Any two bytes of it may look like a header.
	for (let at = 0, value = 1; at < noise.length; at++) {
		value = (value * 48_271) % 2_147_483_647;
		noise[at] = value % 5 === 0 ? 0xff : value >> 8;
	}
	expect(cut(noise, PASSAGES)).toEqual([undefined, undefined, undefined, undefined]);
	const others = [['flac'], ['m4a', '-c:a', 'aac'], ['wav']].map(([format, ...args]) =>
		encodedSound(20, args, format),
	);
	for (const other of others) expect(cut(other, PASSAGES)).not.toContainEqual(expect.anything());
});

it('finds its way again after damage, and stays in time', () => {
	const file = encodedSound(10, ['-b:a', '128k'], 'mp3');
	const damaged = Buffer.concat([
		file.subarray(0, 30_000),
		Buffer.alloc(777, 0xff),
		file.subarray(30_000),
	]);
	const [found] = cut(damaged, [{ startSeconds: 6, durationSeconds: 2 }]);
	const [expected] = cut(file, [{ startSeconds: 6, durationSeconds: 2 }]);
	const lengths = [found, expected].map((one) => Number(probed(one!, 'a.mp3').format.duration));
	expect(Math.abs(lengths[0] - lengths[1])).toBeLessThan(0.1);
	expect(mp3Header(found!, 0)).toBeDefined();
});
