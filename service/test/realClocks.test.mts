import assert from 'node:assert/strict';
import { test } from 'node:test';

import { PLAIN } from '../../testkit/service/recordings.mts';
import { convertedTo, streamsIn } from '../../testkit/service/media.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';
import { assertNear } from './support/assertNear.mts';
import { BEEPED, BEEPED_SECONDS, BEEPS, beepsIn, made } from './support/beepFiles.mts';
import { casesOf } from './support/casesOf.mts';

await using service = await startService(...QUICK);

/** A file whose times begin below 0, or pass the end of their clock. */
interface Clocked {
	what: string;
	/** With the extension that says the container. */
	name: string;
	make: (name: string) => Promise<Buffer>;
	/** What the file says is not to be heard at its beginning. */
	cutSeconds?: number;
	/** How long after the picture the sound begins. */
	lateBySeconds?: number;
	/** What the result says; default: nothing. */
	note?: RegExp;
}

const PICTURE = ['-f', 'lavfi', '-i', `testsrc=s=160x120:r=25:d=${BEEPED_SECONDS}`];
const H264 = ['-map', '1', '-map', '0', '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '10'];
const VIDEO = [...H264, '-pix_fmt', 'yuv420p'];
const MPEG2 = ['-map', '1', '-map', '0', '-c:v', 'mpeg2video', '-c:a', 'mp2'];
const AAC = ['-c:a', 'aac'];
const OPUS = ['-c:a', 'libopus'];

/** The clock of MPEG counts 33 bits at 90 kHz; files of ffmpeg begin 1.4 s later. */
const CLOCK_SECONDS = 2 ** 33 / 90_000;
const wrapping = (afterSeconds: number, ...args: readonly string[]) => {
	const start = String(CLOCK_SECONDS - afterSeconds - 1.4);
	return (name: string) => made(name, ...BEEPED, ...args, '-output_ts_offset', start);
};

/** Sound that begins half a second before time 0. */
const EARLY = ['-itsoffset', '-0.5', ...BEEPED];
const KEPT = ['-avoid_negative_ts', 'disabled'];

/** Copies all but the beginning: up to a picture, what precedes is hidden by an edit list. */
const trimmed =
	(seconds: number, ...args: readonly string[]) =>
	async (name: string) => {
		const extension = name.split('.')[1];
		const whole = await made(name, ...BEEPED, ...args);
		const copied = ['-map', '0', '-c', 'copy', '-ss', String(seconds)];
		return await convertedTo(whole, extension, ...copied);
	};

const PARTS = ['-movflags', 'frag_keyframe+empty_moov', '-frag_duration', '1000000'];
const HOUR_TICKS = 3_600n * 48_000n;

/** Lets the parts of an MP4 begin at one hour, as those do that are cut from a longer one. */
const cutAtAnHour =
	(...args: readonly string[]) =>
	async (name: string) => {
		const file = await made(name, ...BEEPED, ...args, ...PARTS, '-video_track_timescale', '48000');
		for (let at = file.indexOf('tfdt'); at > 0; at = file.indexOf('tfdt', at + 1)) {
			assert.equal(file[at + 4], 1);
			file.writeBigUInt64BE(file.readBigUInt64BE(at + 8) + HOUR_TICKS, at + 8);
		}
		return file;
	};

const FILES = casesOf<Clocked>(
	[
		{ what: 'parts that begin at one hour', name: 'cut.m4a', make: cutAtAnHour(...AAC) },
		{
			what: 'parts that begin at one hour',
			name: 'cut.mp4',
			make: cutAtAnHour(...PICTURE, ...VIDEO, ...AAC),
		},
		{
			what: 'sound before time 0',
			name: 'early.mkv',
			make: (name) => made(name, ...EARLY, ...PICTURE, ...VIDEO, ...AAC, ...KEPT),
		},
		{
			what: 'sound before time 0',
			name: 'early.mka',
			make: (name) => made(name, ...EARLY, ...OPUS, ...KEPT),
		},
		{
			what: 'sound that an edit list hides',
			name: 'early.mp4',
			make: (name) => made(name, ...EARLY, ...PICTURE, ...VIDEO, ...AAC, ...KEPT),
			cutSeconds: 0.5,
		},
	],
	[
		{
			what: 'sound that begins after the picture',
			name: 'tv.ts',
			make: (name) =>
				made(name, '-itsoffset', '1.5', ...BEEPED, ...PICTURE, ...VIDEO, '-c:a', 'mp2'),
			lateBySeconds: 1.5,
		},
		{
			what: 'a picture that begins after the sound',
			name: 'tuned.ts',
			make: (name) =>
				made(name, ...BEEPED, '-itsoffset', '1.5', ...PICTURE, ...VIDEO, '-c:a', 'ac3'),
		},
		{
			what: 'a picture that begins after the sound',
			name: 'dvd.mpg',
			make: (name) => made(name, ...BEEPED, '-itsoffset', '1.5', ...PICTURE, ...MPEG2),
			note: /encoded the picture, which MKV does not hold as it is$/,
		},
		{
			what: 'a clock that passes its end',
			name: 'tv.ts',
			make: wrapping(10, ...PICTURE, ...VIDEO, '-c:a', 'mp2'),
		},
		{
			what: 'a clock that passes its end at once',
			name: 'tv.ts',
			make: wrapping(0.02, ...PICTURE, ...VIDEO, '-c:a', 'ac3'),
		},
		{ what: 'a clock that passes its end', name: 'radio.ts', make: wrapping(15, ...AAC) },
		{
			what: 'a clock that passes its end',
			name: 'dvd.mpg',
			make: wrapping(10, ...PICTURE, ...MPEG2),
			note: /encoded the picture, which MKV does not hold as it is$/,
		},
		{
			what: 'sound before time 0',
			name: 'early.webm',
			make: (name) => made(name, ...EARLY, ...PICTURE, '-map', '1', '-map', '0', ...OPUS, ...KEPT),
		},
		{
			what: 'sound that an edit list hides',
			name: 'early.m4a',
			make: (name) => made(name, ...EARLY, ...AAC, ...KEPT),
			cutSeconds: 0.5,
		},
		{
			what: 'pictures that an edit list hides',
			name: 'trimmed.mp4',
			make: trimmed(0.5, ...PICTURE, ...VIDEO, ...AAC),
			cutSeconds: 0.5,
		},
		{
			what: 'pictures that an edit list hides',
			name: 'trimmed.mov',
			make: trimmed(0.7, ...PICTURE, ...VIDEO, ...AAC),
			cutSeconds: 0.7,
		},
		{
			what: "the encoder's lead",
			name: 'lead.opus',
			make: (name) => made(name, ...BEEPED, ...OPUS),
		},
		{
			what: "the encoder's lead",
			name: 'lead.webm',
			make: (name) => made(name, ...BEEPED, ...PICTURE, '-map', '1', '-map', '0', ...OPUS),
		},
		{
			what: "the encoder's lead",
			name: 'lead.mp4',
			make: (name) => made(name, ...BEEPED, ...PICTURE, ...VIDEO, ...OPUS),
		},
	],
);

/** Returns how long after the first picture the first beep begins, in seconds. */
async function syncOf(file: Buffer, firstBeep: number): Promise<number | undefined> {
	const { streams } = await streamsIn(file);
	const [sound, picture] = ['audio', 'video'].map((type) =>
		streams.find(({ codec_type }) => codec_type === type),
	);
	if (picture === undefined) return undefined;
	return firstBeep + Number(sound?.start_time) - Number(picture.start_time);
}

for (const { what, name, make, cutSeconds = 0, lateBySeconds = 0, note = /^$/ } of FILES) {
	await test(`keeps the times of ${name}, with ${what}`, async () => {
		const source = await make(name);
		const { file, result } = await service.ann.finish(source, { ...PLAIN, video: true }, name);
		const [before, after] = [await beepsIn(source), await beepsIn(file)];
		assert.equal(after.beeps.length, BEEPS.length, after.beeps.join());
		const delay = after.beeps[0] - BEEPS[0] + cutSeconds - lateBySeconds;
		assertNear(delay, 0, 0.06, 'seconds before the sound');
		for (const [index, at] of BEEPS.entries()) {
			assertNear(
				after.beeps[index],
				at - cutSeconds + lateBySeconds + delay,
				0.02,
				'seconds where a beep begins',
			);
		}
		assertNear(after.seconds, BEEPED_SECONDS - cutSeconds + lateBySeconds, 0.1, 'seconds');
		const wanted = await syncOf(source, before.beeps[0]);
		if (wanted !== undefined) {
			assertNear((await syncOf(file, after.beeps[0])) ?? NaN, wanted, 0.02, 'seconds of sync');
		}
		assert.match((result.notes ?? []).join('\n'), note);
	});
}
