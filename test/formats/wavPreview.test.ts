import fc from 'fast-check';

import { DurationReader } from '../../formats/duration/durationReader';
import { HeaderWalk } from '../../formats/duration/headerWalk';
import { type WavSound, wavSound } from '../../formats/duration/wavHeaders';
import { previewPassage } from '../../formats/preview/passages';
import { wavPassage, wavSamples } from '../../formats/preview/wavPreview';
import { decoded, encodedSound, probed } from '../../testkit/media/mediaFiles';

const SECONDS = 6;
const PASSAGE = { startSeconds: 2.3457, durationSeconds: 1.5 };

function soundOf(file: Buffer, chunkBytes = 4_096): WavSound | undefined {
	const walk = new HeaderWalk<WavSound | undefined>(wavSound());
	for (let at = 0; at < file.length && !walk.isDone; at += chunkBytes) {
		walk.push(file.subarray(at, at + chunkBytes));
	}
	return walk.found;
}

function cut(file: Buffer, passage = PASSAGE): Buffer | undefined {
	const sound = soundOf(file);
	const samples = sound && wavSamples(sound, file.length);
	const part = sound && samples && wavPassage(sound, samples, passage);
	if (part === undefined) return undefined;
	const { start, fromByte, toByte, end } = part;
	return Buffer.concat([start, file.subarray(fromByte, toByte), end]);
}

/** The chunk `data` of a file with another size in its header. */
function withSize(file: Buffer, size: number): Buffer {
	const changed = Buffer.from(file);
	changed.writeUInt32LE(size, changed.indexOf('data') + 4);
	return changed;
}

/** The same with a chunk before the sound. */
function withChunk(file: Buffer, name: string, body: Buffer): Buffer {
	const header = Buffer.alloc(8);
	header.write(name, 'latin1');
	header.writeUInt32LE(body.length, 4);
	const padding = Buffer.alloc(body.length % 2);
	const at = file.indexOf('data');
	return Buffer.concat([file.subarray(0, at), header, body, padding, file.subarray(at)]);
}

const plain = () => encodedSound(SECONDS, ['-c:a', 'pcm_s16le'], 'wav');

const FILES: Readonly<Record<string, () => Buffer>> = {
	'16 bits': plain,
	'24 bits, which is an extensible format': () =>
		encodedSound(SECONDS, ['-c:a', 'pcm_s24le'], 'wav'),
	'24 bits in mono, of odd sizes': () =>
		encodedSound(SECONDS, ['-c:a', 'pcm_s24le', '-ac', '1'], 'wav'),
	'8 bits in mono': () => encodedSound(SECONDS, ['-c:a', 'pcm_u8', '-ac', '1'], 'wav'),
	float: () => encodedSound(SECONDS, ['-c:a', 'pcm_f32le'], 'wav'),
	'µ-law': () => encodedSound(SECONDS, ['-c:a', 'pcm_mulaw', '-ar', '8000', '-ac', '1'], 'wav'),
	'six channels': () => encodedSound(SECONDS, ['-c:a', 'pcm_s16le', '-ac', '6'], 'wav'),
	RF64: () => encodedSound(SECONDS, ['-c:a', 'pcm_s16le', '-rf64', 'always'], 'wav'),
	BW64: () => {
		const file = encodedSound(SECONDS, ['-c:a', 'pcm_s16le', '-rf64', 'always'], 'wav');
		file.write('BW64', 'latin1');
		return file;
	},
	'tags before the sound': () => withChunk(plain(), 'LIST', Buffer.from('INFOINAM\x03\0\0\0odd')),
	'a chunk of an odd size': () => withChunk(plain(), 'junk', Buffer.alloc(12_345, 'data')),
	'no size': () => withSize(plain(), 0),
	'an unknown size': () => withSize(plain(), 0xffff_ffff),
	'a size beyond the end': () => withSize(plain(), 0x7fff_ffff),
};

/** For files that ffmpeg does not read without complaint: one with the same sound. */
const SAME_SOUND: Readonly<Partial<Record<string, () => Buffer>>> = {
	BW64: FILES.RF64,
	'no size': plain,
	'an unknown size': plain,
	'a size beyond the end': plain,
};

const CASES = Object.entries(FILES).map(
	([title, make]) => [title, make, SAME_SOUND[title]] as const,
);

describe.each(CASES)('a passage of a WAV file: %s', (_title, make, same) => {
	it('has the samples of the whole file from its time on, and no other', () => {
		const file = make();
		const passage = cut(file)!;
		const [channels, rate] = [passage.readUInt16LE(22), passage.readUInt32LE(24)];
		const [from, length] = [PASSAGE.startSeconds, PASSAGE.durationSeconds].map(
			(seconds) => Math.round(seconds * rate) * channels * 4,
		);
		const whole = decoded(same?.() ?? file, 'whole.wav');
		expect(decoded(passage, 'a.wav').equals(whole.subarray(from, from + length))).toBe(true);
		expect(Number(probed(passage, 'a.wav').format.duration)).toBeCloseTo(1.5, 3);
		const reader = new DurationReader();
		reader.push(passage);
		expect(reader.seconds()).toBeCloseTo(1.5, 3);
	});
});

it('leaves out what follows the sound of a file whose size is stated', () => {
	const trailer = Buffer.from('LIST\x10\0\0\0INFOIART\x04\0\0\0Anna', 'latin1');
	const rf64 = Buffer.concat([FILES.RF64(), trailer]);
	const last = { startSeconds: SECONDS - 1, durationSeconds: 60 };
	for (const file of [Buffer.concat([plain(), trailer]), rf64]) {
		expect(cut(file, last)!.includes('Anna')).toBe(false);
		expect(Number(probed(cut(file, last)!, 'a.wav').format.duration)).toBeCloseTo(1, 3);
	}
});

it.each([
	['ADPCM', ['-c:a', 'adpcm_ms']],
	['MP3 in WAV', ['-c:a', 'libmp3lame']],
])('there is none of %s, which cannot be cut anywhere', (_name, args) => {
	expect(cut(encodedSound(SECONDS, args, 'wav'))).toBeUndefined();
});

it('there is none of a damaged file, of no sound, or after the end', () => {
	const file = plain();
	const format = file.indexOf('fmt ') + 8;
	const damaged = (change: (bytes: Buffer) => unknown) => {
		const bytes = Buffer.from(file);
		change(bytes);
		return cut(bytes);
	};
	expect(damaged((bytes) => bytes.writeUInt32LE(0, format + 4))).toBeUndefined();
	expect(damaged((bytes) => bytes.writeUInt32LE(0xffff_ffff, format + 4))).toBeUndefined();
	expect(damaged((bytes) => bytes.writeUInt16LE(0, format + 12))).toBeUndefined();
	expect(damaged((bytes) => bytes.writeUInt16LE(0xffff, format + 12))).toBeUndefined();
	expect(damaged((bytes) => bytes.write('dada', bytes.indexOf('data')))).toBeUndefined();
	expect(damaged((bytes) => bytes.write('fmd ', bytes.indexOf('fmt ')))).toBeUndefined();
	expect(cut(file.subarray(0, file.indexOf('data') + 8))).toBeUndefined();
	expect(cut(file, { startSeconds: 60, durationSeconds: 5 })).toBeUndefined();
});

it('takes any bytes, in chunks of any size', () => {
	const start = 'RIFF0000WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80>\0\0\x02\0\x10\0';
	fc.assert(
		fc.property(
			fc.constantFrom('', 'RIFF0000WAVE', 'RF640000WAVEds64', start, `${start}data`),
			fc.uint8Array({ maxLength: 200 }),
			fc.integer({ min: 1, max: 64 }),
			(head, rest, chunkBytes) => {
				const file = Buffer.concat([Buffer.from(head, 'latin1'), rest]);
				const sound = soundOf(file, chunkBytes);
				const samples = sound && wavSamples(sound, file.length);
				expect(samples === undefined || samples.samples > 0).toBe(true);
			},
		),
	);
});

it.each([
	[3_600, 60, 1_200, 60],
	// A third and more would be past the end.
	[80, 60, 20, 60],
	[60, 60, 0, 60],
	[12, 60, 0, 12],
])('of %d seconds, a preview of %d is from %d on, %d long', (whole, wanted, from, length) => {
	const expected = { startSeconds: from, durationSeconds: length };
	expect(previewPassage(whole, wanted)).toEqual(expected);
});
