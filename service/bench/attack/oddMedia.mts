import { endianness } from 'node:os';

import { playlistOf } from '../../../testkit/service/hostileFiles.mts';
import {
	noise,
	USUAL_WAV,
	wav,
	wavOf,
	type HostileFile,
	type Targets,
} from '../../../testkit/media/falseMedia.mts';

export type Make = (name: string, ...args: string[]) => Promise<Buffer>;

const LARGE = 's=4096x4096:r=5:d=0.2';

/** What begins ffmpeg's options for a source that it makes up. */
export const LAVFI = ['-f', 'lavfi', '-i'];
export const SOUND = [...LAVFI, 'sine=f=300:d=1'];

const times = (count: number, ...args: string[]) =>
	Array.from({ length: count }, () => args).flat();

/** Files with more tracks or covers than anybody has: ffmpeg opens a decoder for each. */
export async function* manyTracks(make: Make): AsyncGenerator<HostileFile> {
	const color = [...LAVFI, `color=red:${LARGE}`];
	await make('large.png', ...color, '-frames:v', '1');
	const covers = ['-i', 'large.png', '-map', '0', ...times(20, '-map', '1'), '-c:v', 'copy'];
	const attached = [...covers, '-disposition:v', 'attached_pic'];
	const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv444p10le'];
	await make('one.mkv', ...color, ...h264);
	const copies = ['-i', 'one.mkv', '-map', '0', ...times(30, '-map', '1'), '-c:v', 'copy'];
	const png = [...color, '-map', '0', ...times(8, '-map', '1'), '-c:v', 'png'];
	const gif = [...LAVFI, 'testsrc=s=2000x2000:r=25:d=2', '-c:v', 'gif'];
	const cases: ReadonlyArray<readonly [what: string, name: string, args: string[]]> = [
		['30 tracks of H.264 4:4:4 of 4096 × 4096', 'many.mkv', copies],
		['8 tracks of PNG of 4096 × 4096', 'png.mkv', png],
		['an MP3 with 20 covers of 4096 × 4096', 'covers.mp3', attached],
		['a FLAC with 20 covers of 4096 × 4096', 'covers.flac', attached],
		['an animated picture as a video', 'animated.mkv', gif],
		[
			'200 tracks of subtitles',
			'subtitles.mkv',
			['-i', 'lines.srt', '-map', '0', ...times(200, '-map', '1')],
		],
	];
	for (const [what, name, args] of cases) {
		const bytes = await make(name, ...SOUND, ...args);
		yield { what, name, bytes, hasSound: true, isVideo: name.endsWith('.mkv') };
	}
}

/** Two files of one kind one after the other: rate or channels change in the middle. */
export async function* changingMedia(make: Make): AsyncGenerator<HostileFile> {
	const kinds = [
		['mp3', '-b:a', '64k'],
		['ogg', '-c:a', 'libvorbis'],
		['aac', '-c:a', 'aac'],
		['flac'],
		['mp4', '-c:a', 'aac'],
	] as const;
	for (const [format, ...options] of kinds) {
		const first = await make(`first.${format}`, ...SOUND, ...options, '-ar', '44100', '-ac', '1');
		const second = await make(`second.${format}`, ...SOUND, ...options, '-ar', '32000', '-ac', '2');
		yield {
			what: `${format}, with another rate and more channels in the middle`,
			name: `talk.${format}`,
			bytes: Buffer.concat([first, second]),
			hasSound: true,
		};
	}
}

/** WAV files of samples that are no numbers, and with a length of 64 bits. */
export function* oddWavs(): Generator<HostileFile> {
	for (const [what, value] of Object.entries({ NaN, Infinity, 'huge numbers': 3e38 })) {
		yield wav(`floats that are ${what}`, floats(value));
	}
	for (const stated of [32_000n, 0n, 0xff_ff_ff_ff_ffn])
		yield wav(`RF64 of ${stated} bytes`, rf64(stated));
}

function floats(value: number): Buffer {
	const whole = wavOf({ ...USUAL_WAV, bits: 32, dataBytes: 64_000 });
	const header = whole.subarray(0, 44);
	header.writeUInt16LE(3, 20);
	const samples = Float32Array.from({ length: 16_000 }, (_, at) => (at % 3 === 0 ? value : 0.1));
	if (endianness() !== 'LE') throw new Error('This machine stores numbers the other way round');
	return Buffer.concat([header, Buffer.from(samples.buffer)]);
}

function rf64(statedBytes: bigint): Buffer {
	const usual = wavOf({ ...USUAL_WAV, dataBytes: 0xff_ff_ff_ff });
	const ds64 = Buffer.alloc(36);
	ds64.write('ds64');
	ds64.writeUInt32LE(28, 4);
	ds64.writeBigUInt64LE(statedBytes + 72n, 8);
	ds64.writeBigUInt64LE(statedBytes, 16);
	const head = Buffer.from(usual.subarray(0, 12));
	head.write('RF64');
	return Buffer.concat([head, ds64, usual.subarray(12, 44), noise(32_000)]);
}

/** A playlist under the name of each format of the API. */
export function* namedPlaylists(
	{ recordingPath }: Targets,
	formats: readonly string[],
): Generator<HostileFile> {
	for (const format of formats) {
		const bytes = Buffer.from(playlistOf(`file://${recordingPath}`));
		yield { what: `HLS of a file, as ${format}`, name: `show.${format}`, bytes, hasSound: false };
	}
}
