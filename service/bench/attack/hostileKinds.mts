import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';

import { findFfmpeg } from '../../media/ffmpeg/ffmpeg.mts';
import { fatTaggedMp3 } from '../../../testkit/service/hostileFiles.mts';
import {
	noise,
	notMedia,
	wavHeaders,
	type HostileFile,
	type Targets,
} from '../../../testkit/media/falseMedia.mts';
import { emptyPages } from './emptyPages.mts';
import {
	changingMedia,
	LAVFI,
	type Make,
	manyTracks,
	namedPlaylists,
	oddWavs,
	SOUND,
} from './oddMedia.mts';
import { playlists } from '../../../testkit/media/playlists.mts';

/** The API's formats, with the ffmpeg options to make a one-second file of each. */
const FORMATS = {
	wav: [],
	mp3: ['-b:a', '64k'],
	ogg: ['-c:a', 'libvorbis'],
	flac: [],
	m4a: ['-c:a', 'aac'],
	aiff: [],
	aac: ['-c:a', 'aac'],
	mp4: ['-c:v', 'mpeg4', '-c:a', 'aac'],
	mov: ['-c:v', 'mpeg4', '-c:a', 'aac'],
	webm: ['-c:v', 'libvpx', '-c:a', 'libopus'],
	avi: ['-c:v', 'mpeg4', '-c:a', 'mp3'],
	mkv: ['-c:v', 'mpeg4', '-c:a', 'aac'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const PICTURE = [...LAVFI, 'testsrc=s=64x64:r=10:d=1'];
const TEN_HOURS_LATER = "setpts='if(lt(N,5),PTS,PTS+36000/TB)'";
const APART = [...PICTURE, '-vf', TEN_HOURS_LATER, '-vsync', 'vfr', '-c:v', 'libx264'];
const FAST_PICTURE = [...LAVFI, 'testsrc=s=16x16:r=10000:d=1', '-c:v', 'mpeg4'];

function withSound(what: string, name: string, bytes: Buffer, isVideo = false): HostileFile {
	return { what, name, bytes, hasSound: true, isVideo };
}

/** Yields every hostile file, one at a time. */
export async function* hostileFiles(targets: Targets): AsyncGenerator<HostileFile> {
	await mkdir(targets.folder, { recursive: true });
	yield* playlists(targets);
	yield* wavHeaders();
	yield* notMedia();
	const make: Make = (name, ...args) => made(targets.folder, name, args);
	yield* bombs(targets.folder, make);
	yield* endless(make);
	yield* damaged(make);
	await writeFile(join(targets.folder, 'lines.srt'), '1\n00:00:00,000 --> 00:00:01,000\na\n');
	yield* manyTracks(make);
	yield* changingMedia(make);
	yield* oddWavs();
	yield* namedPlaylists(targets, Object.keys(FORMATS));
}

/** Small files that expand or slow down processing. */
async function* bombs(folder: string, make: Make): AsyncGenerator<HostileFile> {
	await make('cover.png', ...LAVFI, 'color=red:s=8000x8000', '-frames:v', '1');
	const covered = ['-i', 'cover.png', '-map', '0', '-map', '1', '-c:v', 'copy'];
	const attached = [...covered, '-disposition:v', 'attached_pic'];
	const chapters = join(folder, 'chapters.txt');
	await writeFile(chapters, chaptersOf(10_000));
	const chaptered = ['-i', chapters, '-map', '0', '-map_metadata', '1'];
	const attachment = join(folder, 'attachment.bin');
	await writeFile(attachment, noise(5_000_000));
	const attaching = ['-attach', attachment, '-metadata:s:t', 'mimetype=application/octet-stream'];
	const silence = (hours: number) => [...LAVFI, `anullsrc=r=8000:cl=mono:d=${hours * 3_600}`];
	const many = Array.from({ length: 90 }, () => ['-map', '0:a']).flat();
	yield withSound('60 MB of tags', 'talk.mp3', await fatTaggedMp3(60_000_000));
	yield withSound(
		'320,000 tags',
		'talk.mp3',
		Buffer.concat([manyTags(), await make('short.mp3', ...SOUND)]),
	);
	const ogg = await make('short.ogg', ...SOUND, '-c:a', 'libvorbis');
	yield withSound('an Ogg of empty pages', 'talk.ogg', emptyPages(ogg));
	const cases: ReadonlyArray<
		readonly [what: string, name: string, args: string[], isVideo?: true]
	> = [
		['an MP3 with a cover of 8000 × 8000', 'cover.mp3', [...SOUND, ...attached]],
		['a FLAC with a cover of 8000 × 8000', 'cover.flac', [...SOUND, ...attached]],
		['an M4A with a cover of 8000 × 8000', 'cover.m4a', [...SOUND, ...attached]],
		['a video of one picture of 8000 × 8000', 'large.mkv', [...SOUND, ...covered], true],
		['10,000 chapters in a Matroska', 'chapters.mkv', [...SOUND, ...chaptered]],
		['10,000 chapters in an MP4', 'chapters.mp4', [...SOUND, ...PICTURE, ...chaptered], true],
		['attachments in a Matroska', 'attached.mkv', [...SOUND, ...attaching], true],
		['90 tracks of sound', 'tracks.mkv', [...SOUND, ...many]],
		['two hours of silence in AAC', 'silence.aac', [...silence(2), '-b:a', '8k']],
		['eleven hours of silence in FLAC', 'silence.flac', [...silence(11)]],
		['pictures ten hours apart', 'apart.mp4', [...SOUND, ...APART], true],
		['a million pictures a second', 'fast.mkv', [...SOUND, ...FAST_PICTURE], true],
	];
	for (const [what, name, args, isVideo] of cases) {
		yield withSound(what, name, await make(name, ...args), isVideo);
	}
}

/** An ID3 tag of 5.6 MB: ffmpeg compares each of its tags with all before. */
function manyTags(): Buffer {
	const frames = Array.from({ length: 320_000 }, (_, index) => {
		const name = Buffer.from(`\0${index}\0`);
		const head = Buffer.from('TXXX\0\0\0\0\0\0');
		head.writeUInt32BE(name.length, 4);
		return Buffer.concat([head, name]);
	});
	const tags = Buffer.concat(frames);
	// Seven bits a byte.
	const size = [21, 14, 7, 0].map((bits) => (tags.length >> bits) & 0x7f);
	return Buffer.concat([Buffer.from('ID3\x03\0\0'), Buffer.from(size), tags]);
}

/** Files whose headers claim endless length. */
async function* endless(make: Make): AsyncGenerator<HostileFile> {
	const flac = await make('long.flac', ...SOUND);
	// The lower 36 bits of bytes 18 to 25 are the number of samples.
	flac.writeUInt8(flac.readUInt8(21) | 0x0f, 21);
	flac.writeUInt32BE(0xff_ff_ff_ff, 22);
	yield withSound('a FLAC of 69 billion samples', 'talk.flac', flac);
	const mp4 = await make('long.mp4', ...SOUND, ...PICTURE, '-c:v', 'mpeg4');
	for (const box of ['mvhd', 'mdhd', 'tkhd']) {
		const at = mp4.indexOf(box);
		mp4.writeUInt32BE(0xff_ff_ff_f0, at + (box === 'tkhd' ? 24 : 20));
	}
	yield withSound('an MP4 of a million hours', 'talk.mp4', mp4, true);
	const referring = await make('reference.mov', ...SOUND);
	// Without the flag "in this file", a name says where the sound is.
	referring.writeUInt8(0, referring.indexOf('url ') + 7);
	yield withSound('a MOV that refers to another file', 'talk.mov', referring);
	const au = Buffer.alloc(32);
	au.write('.snd', 0);
	for (const [index, value] of [28, 0xff_ff_ff_ff, 3, 16_000, 1].entries()) {
		au.writeUInt32BE(value, 4 + 4 * index);
	}
	const bytes = Buffer.concat([au.subarray(0, 28), noise(32_000)]);
	yield withSound('an AU without end', 'talk.au', bytes);
}

function chaptersOf(count: number): string {
	const chapters = Array.from(
		{ length: count },
		(_, at) =>
			`[CHAPTER]\nTIMEBASE=1/100000\nSTART=${at}\nEND=${at + 1}\ntitle=${'c'.repeat(99)}\n`,
	);
	return `;FFMETADATA1\n${chapters.join('')}`;
}

/** Every format: cut in its header, cut in the middle, with noise after it, with damaged bytes. */
async function* damaged(make: Make): AsyncGenerator<HostileFile> {
	for (const [format, options] of Object.entries(FORMATS)) {
		const isVideo = options.some((option) => option === '-c:v');
		const inputs = isVideo ? [...SOUND, ...PICTURE] : SOUND;
		const whole = await make(`whole.${format}`, ...inputs, ...options);
		const torn = Buffer.from(whole);
		noise(Math.floor(whole.length / 40)).forEach((byte, index) => {
			torn[(60 + index * 37) % torn.length] = byte;
		});
		const damages = {
			'60 bytes': whole.subarray(0, 60),
			half: whole.subarray(0, Math.floor(whole.length / 2)),
			'a header and noise': Buffer.concat([whole.subarray(0, 48), noise(200_000)]),
			'with every 37th byte another': torn,
		};
		for (const [what, bytes] of Object.entries(damages))
			yield withSound(`${format}, ${what}`, `talk.${format}`, bytes, isVideo);
	}
}

async function made(folder: string, name: string, args: readonly string[]): Promise<Buffer> {
	const path = join(folder, name);
	const options = ['-v', 'error', '-nostdin', '-y'];
	await execa(findFfmpeg().ffmpegPath, [...options, ...args, path], { cwd: folder });
	return await readFile(path);
}
