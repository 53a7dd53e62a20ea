import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

import { findFfmpeg } from '../../service/media/ffmpeg.mts';
import { fatTaggedMp3, playlistOf } from '../../test/service/support/hostileFiles.mts';

const execute = promisify(execFile);

/** A file that means no good. */
export interface HostileFile {
	/** What it tries. */
	what: string;
	name: string;
	bytes: Buffer;
	/** Whether there is sound in the file itself, which may leave the machine. */
	hasSound: boolean;
	/** Whether it is edited as a video. */
	isVideo?: boolean;
}

/** What files point at: a recording beside the service, and a server that nobody may ask. */
export interface Targets {
	recordingPath: string;
	serverUrl: string;
	/** For what ffmpeg has to make. */
	folder: string;
}

/** Formats of the interface, with the options that make a second of each. */
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

const SOUND = ['-f', 'lavfi', '-i', 'sine=f=300:d=1'];
const PICTURE = ['-f', 'lavfi', '-i', 'testsrc=s=64x64:r=10:d=1'];

/** Makes every hostile file, one after the other. */
export async function* hostileFiles(targets: Targets): AsyncGenerator<HostileFile> {
	await mkdir(targets.folder, { recursive: true });
	yield* playlists(targets);
	yield* wavHeaders();
	yield* notMedia();
	yield* bombs(targets.folder);
	yield* damaged(targets.folder);
}

/** Files that tell the reader to open other files and addresses. */
function* playlists({ recordingPath: path, serverUrl }: Targets): Generator<HostileFile> {
	const texts: ReadonlyArray<readonly [what: string, name: string, text: string]> = [
		['HLS of a file', 'talk.m3u8', playlistOf(`file://${path}`)],
		['HLS of a file, named mp3', 'talk.mp3', playlistOf(`file://${path}`)],
		['HLS of a file, named wav', 'talk.wav', playlistOf(path)],
		['HLS of a relative path', 'talk.mp4', playlistOf('../../secrets.json')],
		['HLS of a server', 'talk.mp3', playlistOf(`${serverUrl}/hls.ts`)],
		['HLS of a concat', 'talk.aac', playlistOf(`concat:${path}|${path}`)],
		['HLS with a key file', 'talk.m4a', hlsWithKey(path, serverUrl)],
		['ffconcat', 'talk.ffconcat', `ffconcat version 1.0\nfile '${path}'\n`],
		['ffconcat, named wav', 'talk.wav', `ffconcat version 1.0\nfile 'file:${path}'\n`],
		['ffconcat of a server', 'talk.mp3', `ffconcat version 1.0\nfile '${serverUrl}/a.wav'\n`],
		['DASH of a file', 'talk.mpd', dashOf(`file://${path}`)],
		['DASH of a server, named mp4', 'talk.mp4', dashOf(`${serverUrl}/dash`)],
		[
			'SDP',
			'talk.sdp',
			'v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=audio 5004 RTP/AVP 0\n',
		],
		['SVG with an image', 'talk.svg', svgOf(`file://${path}`)],
		['SVG of a server, named mkv', 'talk.mkv', svgOf(`${serverUrl}/a.png`)],
		['plain M3U', 'talk.m3u', `#EXTM3U\n${path}\n`],
		['PLS', 'talk.pls', `[playlist]\nFile1=${path}\nNumberOfEntries=1\n`],
		['ASX', 'talk.asx', `<asx version="3.0"><entry><ref href="${serverUrl}/a"/></entry></asx>`],
		['ASF redirect', 'talk.asf', `[Reference]\nRef1=${serverUrl}/a.asf\n`],
		['SRT with an include', 'talk.srt', `1\n00:00:00,000 --> 00:00:09,000\n{\\include ${path}}\n`],
		['ASS with a font file', 'talk.ass', `[Script Info]\n[Fonts]\nfontname: ${path}\n`],
		['WebVTT with an import', 'talk.vtt', `WEBVTT\n\nSTYLE\n@import url(${serverUrl}/a.css);\n`],
		['ffmetadata', 'talk.ffmeta', `;FFMETADATA1\ntitle=${path}\n`],
		['RTSP text', 'talk.rtsp', `rtsptext\nrtsp://127.0.0.1/${path}\n`],
	];
	for (const [what, name, text] of texts) {
		yield { what, name, bytes: Buffer.from(text), hasSound: false };
	}
}

function hlsWithKey(path: string, serverUrl: string): string {
	const key = `#EXT-X-KEY:METHOD=AES-128,URI="file://${path}",IV=0x00000000000000000000000000000000`;
	return playlistOf(`${serverUrl}/a.ts`).replace('#EXTINF', `${key}\n#EXTINF`);
}

function dashOf(url: string): string {
	return `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT9S"><Period><AdaptationSet mimeType="audio/mp4"><Representation id="1" bandwidth="1"><BaseURL>${url}</BaseURL></Representation></AdaptationSet></Period></MPD>`;
}

function svgOf(url: string): string {
	return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink" width="9" height="9"><image x:href="${url}"/></svg>`;
}

/** WAV files whose headers say what cannot be. */
function* wavHeaders(): Generator<HostileFile> {
	const usual = { channels: 1, rateHz: 16_000, bits: 16, dataBytes: 32_000 };
	const cases: ReadonlyArray<readonly [what: string, header: Partial<typeof usual>]> = [
		['64 channels', { channels: 64 }],
		['65,535 channels', { channels: 65_535 }],
		['no channels', { channels: 0 }],
		['1 Hz', { rateHz: 1 }],
		['0 Hz', { rateHz: 0 }],
		['768 kHz', { rateHz: 768_000 }],
		['4 GHz', { rateHz: 0xff_ff_ff_ff }],
		['65,535 bits', { bits: 65_535 }],
		['0 bits', { bits: 0 }],
		['endless', { dataBytes: 0xff_ff_ff_ff }],
	];
	for (const [what, header] of cases) {
		yield {
			...{ what: `WAV, ${what}`, name: 'talk.wav', hasSound: true },
			bytes: wavOf({ ...usual, ...header }),
		};
	}
}

function wavOf(header: { channels: number; rateHz: number; bits: number; dataBytes: number }) {
	const { channels, rateHz, bits, dataBytes } = header;
	const head = Buffer.alloc(44);
	head.write('RIFF', 0);
	head.writeUInt32LE(Math.min(0xff_ff_ff_ff, dataBytes + 36), 4);
	head.write('WAVEfmt ', 8);
	head.writeUInt32LE(16, 16);
	head.writeUInt16LE(1, 20);
	head.writeUInt16LE(channels, 22);
	head.writeUInt32LE(rateHz, 24);
	head.writeUInt32LE((rateHz * channels * (bits >> 3)) % 0x1_00_00_00_00, 28);
	head.writeUInt16LE((channels * (bits >> 3)) % 0x1_00_00, 32);
	head.writeUInt16LE(bits, 34);
	head.write('data', 36);
	head.writeUInt32LE(dataBytes, 40);
	return Buffer.concat([head, noise(32_000)]);
}

/** Bytes that look like nothing, the same in every run. */
function noise(length: number): Buffer {
	let state = 12_345;
	return Buffer.from(
		Uint8Array.from({ length }, () => {
			state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
			return state >> 16;
		}),
	);
}

/** Files that are something else. */
function* notMedia(): Generator<HostileFile> {
	const zip = zipOf(Buffer.alloc(20_000_000));
	const cases: ReadonlyArray<readonly [what: string, name: string, bytes: Buffer]> = [
		['empty', 'talk.wav', Buffer.alloc(0)],
		['one byte', 'talk.mp3', Buffer.from([0])],
		['zeros', 'talk.mp3', Buffer.alloc(2_000_000)],
		['noise', 'talk.mp3', noise(2_000_000)],
		['MP3 sync words only', 'talk.mp3', Buffer.alloc(400_000, Buffer.from([0xff, 0xfb]))],
		['a ZIP bomb', 'talk.mp3', zip],
		['a ZIP bomb, named wav', 'talk.wav', zip],
		['gzip', 'talk.m4a', gzipSync(Buffer.alloc(2_000_000))],
		['a program', 'talk.mkv', Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01'), noise(4_000)])],
		['HTML', 'talk.mp4', Buffer.from('<script>alert(1)</script>'.repeat(999))],
	];
	for (const [what, name, bytes] of cases) yield { what, name, bytes, hasSound: false };
}

/** A ZIP of one file. */
function zipOf(content: Buffer): Buffer {
	const data = deflateRawSync(content);
	const head = Buffer.alloc(30);
	head.writeUInt32LE(0x04034b50, 0);
	head.writeUInt16LE(20, 4);
	head.writeUInt16LE(8, 8);
	head.writeUInt32LE(crc32(content), 14);
	head.writeUInt32LE(data.length, 18);
	head.writeUInt32LE(content.length, 22);
	head.writeUInt16LE(1, 26);
	return Buffer.concat([head, Buffer.from('a'), data]);
}

/** Small files that want to be large. */
async function* bombs(folder: string): AsyncGenerator<HostileFile> {
	const make = (name: string, ...args: string[]) => made(folder, name, args);
	const cover = join(folder, 'cover.png');
	await made(folder, 'cover.png', ['-f', 'lavfi', '-i', 'color=red:s=8000x8000', '-frames:v', '1']);
	const covered = ['-i', cover, '-map', '0', '-map', '1', '-c:v', 'copy'];
	const attached = [...covered, '-disposition:v', 'attached_pic'];
	const chapters = join(folder, 'chapters.txt');
	await writeFile(chapters, chaptersOf(10_000));
	const chaptered = ['-i', chapters, '-map', '0', '-map_metadata', '1'];
	const attachment = join(folder, 'attachment.bin');
	await writeFile(attachment, noise(5_000_000));
	const attaching = ['-attach', attachment, '-metadata:s:t', 'mimetype=application/octet-stream'];
	const silence = (hours: number) => [
		'-f',
		'lavfi',
		'-i',
		`anullsrc=r=8000:cl=mono:d=${hours * 3_600}`,
	];
	const many = Array.from({ length: 90 }, () => ['-map', '0:a']).flat();
	const sound = { hasSound: true };
	yield {
		what: '60 MB of tags',
		name: 'talk.mp3',
		bytes: await fatTaggedMp3(60_000_000),
		...sound,
	};
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
		['a million pictures a second', 'fast.mkv', [...SOUND, ...fastPicture], true],
	];
	for (const [what, name, args, isVideo = false] of cases) {
		yield { what, name, bytes: await make(name, ...args), hasSound: true, isVideo };
	}
	yield* endless(folder);
}

const fastPicture = ['-f', 'lavfi', '-i', 'testsrc=s=16x16:r=10000:d=1', '-c:v', 'mpeg4'];

/** Files whose headers say that they go on for ever. */
async function* endless(folder: string): AsyncGenerator<HostileFile> {
	const sound = { hasSound: true };
	const flac = await made(folder, 'long.flac', SOUND);
	// The lower 36 bits of the eight bytes from 18 on count the samples.
	flac.writeUInt8(flac.readUInt8(21) | 0x0f, 21);
	flac.writeUInt32BE(0xff_ff_ff_ff, 22);
	yield { what: 'a FLAC of 69 billion samples', name: 'talk.flac', bytes: flac, ...sound };
	const mp4 = await made(folder, 'long.mp4', [...SOUND, ...PICTURE, '-c:v', 'mpeg4']);
	for (const box of ['mvhd', 'mdhd', 'tkhd']) {
		const at = mp4.indexOf(box);
		mp4.writeUInt32BE(0xff_ff_ff_f0, at + (box === 'tkhd' ? 24 : 20));
	}
	yield {
		what: 'an MP4 of a million hours',
		name: 'talk.mp4',
		bytes: mp4,
		...sound,
		isVideo: true,
	};
	const referring = await made(folder, 'reference.mov', SOUND);
	// Without the flag "in this file" the sound lies where a name says.
	referring.writeUInt8(0, referring.indexOf('url ') + 7);
	yield { what: 'a MOV that refers to another file', name: 'talk.mov', bytes: referring, ...sound };
	const au = Buffer.alloc(32);
	au.write('.snd', 0);
	for (const [index, value] of [28, 0xff_ff_ff_ff, 3, 16_000, 1].entries()) {
		au.writeUInt32BE(value, 4 + 4 * index);
	}
	const bytes = Buffer.concat([au.subarray(0, 28), noise(32_000)]);
	yield { what: 'an AU without end', name: 'talk.au', bytes, ...sound };
}

function chaptersOf(count: number): string {
	const chapters = Array.from(
		{ length: count },
		(_, at) =>
			`[CHAPTER]\nTIMEBASE=1/100000\nSTART=${at}\nEND=${at + 1}\ntitle=${'c'.repeat(99)}\n`,
	);
	return `;FFMETADATA1\n${chapters.join('')}`;
}

/** Every format cut off in its header, cut off in the middle, and with noise in its place. */
async function* damaged(folder: string): AsyncGenerator<HostileFile> {
	for (const [format, options] of Object.entries(FORMATS)) {
		const isVideo = options.some((option) => option === '-c:v');
		const inputs = isVideo ? [...SOUND, ...PICTURE] : SOUND;
		const whole = await made(folder, `whole.${format}`, [...inputs, ...options]);
		const kind = { name: `talk.${format}`, hasSound: true, isVideo };
		yield { what: `${format}, 60 bytes`, bytes: whole.subarray(0, 60), ...kind };
		const half = whole.subarray(0, Math.floor(whole.length / 2));
		yield { what: `${format}, half`, bytes: half, ...kind };
		const garbage = Buffer.concat([whole.subarray(0, 48), noise(200_000)]);
		yield { what: `${format}, a header and noise`, bytes: garbage, ...kind };
		const torn = Buffer.from(whole);
		noise(Math.floor(whole.length / 40)).forEach((byte, index) => {
			torn[(60 + index * 37) % torn.length] = byte;
		});
		yield { what: `${format}, with every 37th byte another`, bytes: torn, ...kind };
	}
}

/** A file that ffmpeg makes. */
async function made(folder: string, name: string, args: readonly string[]): Promise<Buffer> {
	const path = join(folder, name);
	const options = ['-v', 'error', '-nostdin', '-y'];
	await execute(findFfmpeg().ffmpegPath, [...options, ...args, path]);
	return await readFile(path);
}
