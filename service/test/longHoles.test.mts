import assert from 'node:assert/strict';
import { test } from 'node:test';

import { PLAIN } from '../../testkit/service/recordings.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';
import { assertNear } from './support/assertNear.mts';
import { BEEPED, BEEPED_SECONDS, BEEPS, beepsIn, made } from './support/beepFiles.mts';
import { casesOf } from './support/casesOf.mts';

await using service = await startService(...QUICK);

/** A recording of somebody who was silent for a long time. */
interface LongHoled {
	what: string;
	name: string;
	codec: readonly string[];
	/** When each hole begins, in the sound without holes, and how long it is, in seconds. */
	holes: ReadonlyArray<readonly [atSeconds: number, seconds: number]>;
	/** Seconds before the first sound. */
	lateBySeconds?: number;
	/** How long a picture is shown; default: there is none. */
	pictureSeconds?: number;
	/** What the result says; default: nothing. */
	note?: RegExp;
}

const H264 = [
	'-map',
	'1',
	'-map',
	'0',
	'-c:v',
	'libx264',
	'-preset',
	'ultrafast',
	'-pix_fmt',
	'yuv420p',
];
const AAC = ['-c:a', 'aac'];
const VP8 = ['-map', '1', '-map', '0', '-c:v', 'libvpx', '-deadline', 'realtime'];

const OPUS = ['-c:a', 'libopus', '-b:a', '24k'];
const STEREO = ['-ac', '2'];

const FILES = casesOf<LongHoled>(
	[
		{ what: 'half an hour', name: 'muted.webm', codec: OPUS, holes: [[10, 1_800]] },
		{
			what: 'twelve and two minutes in a video',
			name: 'meeting.mp4',
			codec: [...H264, ...AAC],
			holes: [
				[10, 720],
				[22, 120],
			],
			pictureSeconds: 870,
		},
	],
	[
		{
			what: 'twenty minutes in a video',
			name: 'screen.mkv',
			codec: [...H264, ...OPUS],
			holes: [[10, 1_200]],
			pictureSeconds: 1_230,
		},
		{
			what: 'eleven minutes in a video',
			name: 'meeting.webm',
			codec: [...VP8, ...OPUS],
			holes: [[22, 660]],
			pictureSeconds: 690,
		},
		{
			what: 'eleven minutes in a video',
			name: 'old.mov',
			codec: [...H264, ...AAC],
			holes: [],
			lateBySeconds: 660,
			pictureSeconds: 690,
		},
		{
			what: 'eleven minutes in a video',
			name: 'stream.flv',
			codec: [...H264, ...AAC],
			holes: [[10, 660]],
			pictureSeconds: 690,
		},
		{
			what: 'eleven minutes in a video',
			name: 'tv.ts',
			codec: [...H264, '-c:a', 'mp2'],
			holes: [[10, 660]],
			pictureSeconds: 690,
		},
		{
			what: 'fifteen seconds in a video',
			name: 'tv.ts',
			codec: [...H264, '-c:a', 'mp2'],
			holes: [[10, 15]],
			pictureSeconds: 45,
		},
		{
			what: 'fifteen seconds in a video',
			name: 'dvd.mpg',
			codec: ['-map', '1', '-map', '0', '-r', '25', '-c:v', 'mpeg2video', '-c:a', 'ac3'],
			holes: [[10, 15]],
			pictureSeconds: 45,
			note: /encoded the picture, which MKV does not hold as it is$/,
		},
		{
			what: 'ten minutes twice',
			name: 'muted.ogg',
			codec: [...OPUS, ...STEREO],
			holes: [
				[10, 600],
				[22, 601.5],
			],
		},
		{
			what: 'ten minutes',
			name: 'muted.m4a',
			codec: ['-c:a', 'aac', ...STEREO],
			holes: [[10, 600]],
		},
		{
			what: 'ten minutes',
			name: 'phone.mka',
			codec: ['-c:a', 'flac', '-ar', '22050', '-ac', '6'],
			holes: [[10, 600]],
		},
		{ what: 'ten minutes', name: 'late.mka', codec: OPUS, holes: [], lateBySeconds: 600 },
	],
);

const picture = (seconds: number) => ['-f', 'lavfi', '-i', `testsrc=s=64x48:r=2:d=${seconds}`];

for (const one of FILES) {
	const { what, name, codec, holes, lateBySeconds = 0, pictureSeconds, note = /^$/ } = one;
	await test(`keeps the times of ${name}, with silence of ${what}`, async () => {
		const times = holes.map(([at, seconds]) => `if(gt(T,${at}),${seconds}/TB,0)`).join('+') || '0';
		const late = ['-itsoffset', String(lateBySeconds)];
		const video = pictureSeconds !== undefined;
		const shown = video ? picture(pictureSeconds) : [];
		const muted = ['-af', `asetpts='PTS+${times}'`];
		const source = await made(name, ...late, ...BEEPED, ...shown, ...muted, ...codec);
		const { file, result } = await service.ann.finish(source, { ...PLAIN, video }, name);
		const { beeps, seconds } = await beepsIn(file);
		const before = (at: number) =>
			holes.reduce((sum, [holeAt, hole]) => (holeAt < at ? sum + hole : sum), lateBySeconds);
		assert.equal(beeps.length, BEEPS.length, beeps.join());
		for (const [index, at] of BEEPS.entries()) {
			assertNear(beeps[index], at + before(at), 0.05, 'seconds where a beep begins');
		}
		assertNear(seconds, BEEPED_SECONDS + before(BEEPED_SECONDS), 0.1, 'seconds');
		assert.match((result.notes ?? []).join('\n'), note);
	});
}
