import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { EditConfig } from '../shared/contract.mts';
import { reasonOf } from '../shared/failures.mts';
import { PLAIN } from '../../testkit/service/recordings.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';
import { videoInfo } from '../../testkit/service/video.mts';
import { assertNear } from './support/assertNear.mts';
import { BEEPED, BEEPED_SECONDS, BEEPS, beepsIn, holes, made } from './support/beepFiles.mts';
import { casesOf } from './support/casesOf.mts';

await using service = await startService(...QUICK);
const { ann } = service;

/** A file as a recorder makes it, and what must hold of its edit. */
interface RealFile {
	/** What is special about it. */
	what: string;
	/** With the extension that says the container. */
	name: string;
	make: (name: string) => Promise<Buffer>;
	config?: EditConfig;
	/** Default: those of the source. */
	beeps?: readonly number[];
	seconds?: number;
	/** The ending of the result's name, and the codec of its picture. */
	picture?: readonly [ending: string, codec: string];
	/** Of the beeps in the source. */
	soundTrack?: number;
	/** What the result says; default: nothing. */
	note?: RegExp;
}

const beeped =
	(...args: string[]) =>
	(name: string) =>
		made(name, ...BEEPED, ...args);

/** Somebody came when the others had already talked. */
const LATE_BY_SECONDS = 4;
const LATE = {
	beeps: BEEPS.map((at) => at + LATE_BY_SECONDS),
	seconds: BEEPED_SECONDS + LATE_BY_SECONDS,
};

const lateStart =
	(...codec: string[]) =>
	(name: string) =>
		made(name, '-itsoffset', String(LATE_BY_SECONDS), ...BEEPED, ...codec);

const OPUS = ['-c:a', 'libopus', '-b:a', '48k'];
const AAC = ['-c:a', 'aac'];
const OPUS_PACKET = 960;
const AAC_PACKET = 1_024;

/** Somebody is muted for 10 s, and for 13. */
const MUTED = [5, 15] as const;
const LONG_MUTED = [5, 18.5] as const;

const hole = (packet: number, ...codec: string[]) =>
	beeped(...holes(packet, [MUTED[0], MUTED[1]]), ...codec);
const longHole = (packet: number, ...codec: string[]) =>
	beeped(...holes(packet, [LONG_MUTED[0], LONG_MUTED[1]]), ...codec);

/** Every half second, two packets are lost. */
const LOSSES = Array.from({ length: 30 }, (_, n): [number, number] => [
	4.49 + n / 2,
	4.49 + n / 2 + 0.039,
]);

const lavfi = (source: string) => ['-f', 'lavfi', '-i', `${source}:d=${BEEPED_SECONDS}`];
const SILENCE = lavfi('aevalsrc=0:s=48000');
const NOISE = lavfi('anoisesrc=c=pink:a=0.003:r=48000');
const PING = lavfi("aevalsrc='0.3*sin(2*PI*880*t)*exp(-30*t)':s=48000");
const PICTURE = lavfi('testsrc=s=160x120:r=25');

/** The beeps on the second sound track. */
const second = (first: string[], ...args: string[]) =>
	beeped(...first, '-map', '1', '-map', '0', ...args);
const secondInVideo = (first: string[], ...args: string[]) =>
	beeped(...first, ...PICTURE, '-map', '2', '-map', '1', '-map', '0', ...args);
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

/** Marks the first sound track as one of a codec that ffmpeg lacks, as an iPhone's spatial sound. */
const withoutDecoder =
	(make: RealFile['make'], known: string, unknown: string): RealFile['make'] =>
	async (name) => {
		const file = await make(name);
		const at = file.indexOf(known);
		assert.ok(at > 0);
		file.write(unknown, at, 'latin1');
		if (unknown === 'apac') file.write('free', file.indexOf('esds', at), 'latin1');
		return file;
	};

const inVideo = (...args: string[]) => beeped(...PICTURE, '-map', '1', '-map', '0', ...args);
const SRT = Buffer.from('1\n00:00:01,000 --> 00:00:03,000\nHello\n').toString('base64');
const SUBTITLES = ['-f', 'srt', '-i', `data:text/plain;base64,${SRT}`, '-c:s', 'copy'];
const subtitled = (...args: string[]) =>
	beeped(...PICTURE, ...SUBTITLES, '-map', '1', '-map', '0', '-map', '2', ...args);

/** QuickTime before it had brands. */
const withoutBrand =
	(make: RealFile['make']): RealFile['make'] =>
	async (name) => {
		const file = await make(name);
		file.write('free', file.indexOf('ftyp'), 'latin1');
		return file;
	};

/** Makes a file in a container that has another name. */
const named =
	(made: string, make: RealFile['make']): RealFile['make'] =>
	() =>
		make(made);

const isSilent = /^used sound track 2 of 2: track 1 is silent$/;
const isUnknown = /^used sound track 2 of 2: track 1 cannot be decoded$/;

const FILES: readonly RealFile[] = casesOf<RealFile>(
	[
		{ what: 'a hole', name: 'muted.webm', make: hole(OPUS_PACKET, ...OPUS) },
		{ what: 'a hole', name: 'muted.ogg', make: hole(OPUS_PACKET, ...OPUS) },
		{ what: 'a hole', name: 'muted.m4a', make: hole(AAC_PACKET, ...AAC) },
		{ what: 'a hole', name: 'muted.mka', make: hole(AAC_PACKET, ...AAC) },
		{ what: 'a late start', name: 'late.webm', make: lateStart(...OPUS), ...LATE },
		{ what: 'a hole of more than 10 s', name: 'long.ogg', make: longHole(OPUS_PACKET, ...OPUS) },
		{
			what: 'many small holes',
			name: 'lost.webm',
			make: beeped(...holes(OPUS_PACKET, ...LOSSES), ...OPUS),
		},
		{
			what: 'a second sound track that begins late',
			name: 'guest.mka',
			make: lateStart(...SILENCE, '-map', '1', '-map', '0', ...OPUS),
			...LATE,
			note: isSilent,
		},
		{
			what: 'a silent first sound track',
			name: 'screen.mkv',
			make: secondInVideo(SILENCE, ...H264, ...AAC),
			config: { video: true },
			note: isSilent,
		},
		{
			what: 'nothing but noise on the first sound track',
			name: 'noise.m4a',
			make: second(NOISE, ...AAC),
			note: isSilent,
		},
		{
			what: 'a first sound track in an unknown codec',
			name: 'spatial.m4a',
			make: withoutDecoder(second(SILENCE, ...AAC), 'mp4a', 'apac'),
			soundTrack: 1,
			note: isUnknown,
		},
		{
			what: 'a second sound track that is not needed',
			name: 'both.mka',
			make: beeped(...SILENCE, '-map', '0', '-map', '1', ...AAC),
			note: /^used sound track 1 of 2$/,
		},
		{
			what: 'a picture that MP4 does not hold',
			name: 'phone.3gp',
			make: inVideo('-s', '176x144', '-c:v', 'h263', ...AAC, '-ar', '8000'),
			config: { video: true },
			picture: ['mp4', 'h264'],
			note: /^phone\.3gp: encoded the picture, which MP4 does not hold as it is$/,
		},
		{
			what: 'a picture that only QuickTime holds, and no brand',
			name: 'old.mov',
			make: withoutBrand(inVideo('-c:v', 'qtrle', '-c:a', 'pcm_s16le')),
			config: { video: true },
			picture: ['mov', 'qtrle'],
		},
		{
			what: 'subtitles that WebM does not hold',
			name: 'subtitled.webm',
			make: named('subtitled.mkv', subtitled('-c:v', 'libvpx', ...OPUS)),
			config: { video: true },
			picture: ['webm', 'vp8'],
			note: /^subtitled\.webm: left out subtitles, which WEBM does not hold: 1$/,
		},
	],
	[
		{
			what: 'Motion JPEG and no brand',
			name: 'camera.mov',
			make: withoutBrand(inVideo('-c:v', 'mjpeg', '-c:a', 'pcm_s16le')),
			config: { video: true },
			picture: ['mov', 'mjpeg'],
		},
		{
			what: 'a first sound track with one short sound',
			name: 'ping.mp4',
			make: secondInVideo(PING, ...H264, ...AAC),
			note: isSilent,
		},
		{
			what: 'a silent first sound track',
			name: 'silent.mka',
			make: second(SILENCE, ...OPUS),
			note: isSilent,
		},
		{
			what: 'a first sound track in an unknown codec',
			name: 'spatial.mov',
			make: withoutDecoder(secondInVideo(PING, ...H264, ...AAC), 'mp4a', 'apac'),
			config: { video: true },
			soundTrack: 1,
			note: isUnknown,
		},
		{
			what: 'a first sound track in an unknown codec',
			name: 'unknown.mkv',
			make: withoutDecoder(secondInVideo(PING, ...H264, ...AAC), 'A_AAC', 'A_XXX'),
			config: { video: true },
			soundTrack: 1,
			note: isUnknown,
		},
		{ what: 'a hole of more than 10 s', name: 'long.webm', make: longHole(OPUS_PACKET, ...OPUS) },
		{ what: 'a hole', name: 'vorbis.ogg', make: hole(AAC_PACKET, '-c:a', 'libvorbis') },
		{ what: 'a hole', name: 'mp3.mka', make: hole(1_152, '-c:a', 'libmp3lame') },
		{ what: 'a hole', name: 'flac.mka', make: hole(4_608, '-c:a', 'flac') },
		{ what: 'a hole', name: 'pcm.mka', make: hole(AAC_PACKET, '-c:a', 'pcm_s16le') },
		{ what: 'a hole', name: 'alac.m4a', make: hole(4_096, '-c:a', 'alac') },
		{ what: 'a hole', name: 'muted.flv', make: hole(AAC_PACKET, ...AAC) },
		{ what: 'a late start', name: 'late.mka', make: lateStart(...AAC), ...LATE },
		{ what: 'a late start', name: 'late.m4a', make: lateStart(...AAC), ...LATE },
		{ what: 'a start at any time', name: 'late.ogg', make: lateStart(...OPUS) },
		{ what: 'a hole', name: 'muted.wma', make: hole(2_048, '-c:a', 'wmav2') },
	],
);

for (const { what, name, make, config, beeps, seconds, note, soundTrack, picture } of FILES) {
	await test(`edits ${name}, with ${what}, in time`, async () => {
		const source = await make(name);
		const { file, result } = await ann.finish(source, { ...PLAIN, ...config }, name);
		const [before, after] = [await beepsIn(source, soundTrack), await beepsIn(file)];
		const expected = beeps ?? BEEPS;
		if (picture !== undefined) {
			const info = await videoInfo(file);
			const ending = result.filename?.split('.').at(-1);
			assert.deepEqual([ending, info.picture.codec_name], picture);
		}
		assert.equal(after.beeps.length, expected.length, `beeps at ${after.beeps.join()}`);
		// Some containers do not say how much an encoder put before the sound.
		const delay = after.beeps[0] - expected[0];
		assertNear(delay, 0, 0.05, 'seconds before the sound');
		for (const [index, at] of expected.entries()) {
			assertNear(after.beeps[index], at + delay, 0.02, 'seconds where a beep begins');
		}
		// An encoder fills its last packet.
		assertNear(before.seconds, BEEPED_SECONDS, 0.1, 'seconds of the source');
		assertNear(after.seconds, seconds ?? before.seconds, 0.05, 'seconds');
		const notes = result.notes ?? [];
		if (note === undefined) assert.deepEqual(notes, []);
		else assert.match(notes.join('\n'), note);
	});
}

await test('says in its own words that a picture can be neither copied nor decoded', async () => {
	const source = await inVideo(...H264, ...AAC)('talk.mp4');
	source.write('zzzz', source.indexOf('avc1', source.indexOf('stsd')), 'latin1');
	const { task_id: id, status } = await ann.run(source, { ...PLAIN, video: true }, 'talk.mp4');
	assert.equal(status, 'FAILURE');
	assert.match(
		service.logOf(id).at(-1) ?? '',
		/FAILURE \(The file's picture can be neither copied/,
	);
	assert.equal((await ann.run(source, PLAIN, 'talk.mp4')).status, 'SUCCESS');
});

await test('never repeats what ffmpeg says about a file to a client', () => {
	const said = "Could not open '/var/lib/storage/edits/1': Invalid data";
	const error = Object.assign(new Error(said), { name: 'MediaToolError' });
	assert.match(
		reasonOf(error),
		/^ffmpeg could not process the file; [^/]*Convert it to WAV or MP4/,
	);
});
