import fc from 'fast-check';

import { DurationReader } from '../../formats/duration/durationReader';
import { encodedSound } from '../../testkit/media/mediaFiles';

const SECONDS = 12.5;

function durationOf(file: Buffer, chunkBytes = file.length): number | undefined {
	const reader = new DurationReader();
	for (let at = 0; at < file.length; at += chunkBytes) {
		reader.push(file.subarray(at, at + chunkBytes));
	}
	return reader.seconds();
}

const FILES: ReadonlyArray<readonly [name: string, format: string, ...args: string[]]> = [
	['MP3 with an information frame', 'mp3', '-b:a', '128k'],
	['MP3 without one', 'mp3', '-b:a', '96k', '-write_xing', '0'],
	['MP3 of a changing bit rate without one', 'mp3', '-q:a', '5', '-write_xing', '0'],
	['MP3 at 8 kHz with tags', 'mp3', '-ar', '8000', '-metadata', `title=${'long '.repeat(2_000)}`],
	['WAV', 'wav', '-c:a', 'pcm_s16le'],
	['WAV with tags before its sound', 'wav', '-metadata', 'title=odd'],
	['WAV of 24 bits', 'wav', '-c:a', 'pcm_s24le'],
	['RF64', 'wav', '-rf64', 'always'],
	['M4A with its index at the end', 'm4a', '-c:a', 'aac'],
	['M4A with its index at the start', 'm4a', '-c:a', 'aac', '-movflags', '+faststart'],
	['QuickTime', 'mov', '-c:a', 'aac'],
];

it.each(FILES)('reads the length of %s, in chunks of any size', (_name, format, ...args) => {
	const file = encodedSound(SECONDS, args, format);
	const whole = durationOf(file);
	// An encoder adds up to three frames of silence.
	expect(Math.abs(Number(whole) - SECONDS)).toBeLessThan(0.22);
	for (const chunkBytes of [97, 65_536]) expect(durationOf(file, chunkBytes)).toBe(whole);
});

it('counts the sound that is there if a WAV file does not state its size, or a greater one', () => {
	const file = encodedSound(SECONDS, ['-c:a', 'pcm_s16le'], 'wav');
	const size = file.indexOf('data') + 4;
	for (const stated of [0, 0xffff_ffff, 0x7fff_ffff]) {
		file.writeUInt32LE(stated, size);
		expect(durationOf(file, 4_096)).toBeCloseTo(SECONDS, 2);
	}
	const half = file.subarray(0, file.length / 2);
	expect(durationOf(half, 4_096)).toBeCloseTo(SECONDS / 2, 2);
});

it.each([
	['FLAC', 'flac'],
	['Ogg', 'ogg', '-c:a', 'libvorbis'],
	['an MP4 of fragments', 'mp4', '-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov'],
])('does not know the length of %s', (_name, format, ...args) => {
	expect(durationOf(encodedSound(2, args, format), 4_096)).toBeUndefined();
});

it('reads chunks that are shorter than what they should have, in pieces of any size', () => {
	const file = encodedSound(1, ['-c:a', 'pcm_s16le'], 'wav');
	const [start, rest] = [file.subarray(0, 12), file.subarray(12)];
	for (const chunk of ['ds64\0\0\0\0', 'ds64\x04\0\0\0size', 'fmt \0\0\0\0']) {
		const damaged = Buffer.concat([start, Buffer.from(chunk, 'latin1'), rest]);
		for (let bytes = 1; bytes <= 64; bytes++) expect(durationOf(damaged, bytes)).toBeCloseTo(1, 2);
	}
});

it('does not take the first track in a ZIP file for all of it', () => {
	const mp3 = encodedSound(2, ['-b:a', '64k'], 'mp3');
	const zip = Buffer.concat([
		Buffer.from('PK\x03\x04'),
		Buffer.alloc(26),
		Buffer.from('a.mp3'),
		mp3,
	]);
	expect(durationOf(zip, 4_096)).toBeUndefined();
});

it('takes any bytes', () => {
	// The last one is a frame of 8 kbit/s that begins like an information frame, and the next one.
	const small = `\xff\xe3\x18\xc4${'\0'.repeat(9)}Xing\0\0\0\x01`.padEnd(72, '\0');
	const starts = ['', 'RIFF0000WAVEfmt ', 'RF640000WAVEdata', '\0\0\0\x08ftyp', '\0\0\0\x08moov'];
	fc.assert(
		fc.property(
			fc.constantFrom(...starts, 'ID3', small + small),
			fc.uint8Array({ maxLength: 200, size: 'max' }),
			(start, rest) => {
				const seconds = durationOf(Buffer.concat([Buffer.from(start, 'latin1'), rest]), 5);
				expect(seconds === undefined || seconds > 0).toBe(true);
			},
		),
	);
});
