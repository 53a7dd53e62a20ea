import assert from 'node:assert/strict';
import { test } from 'node:test';

import { PLAIN } from '../../testkit/service/recordings.mts';
import { convertedTo, streamsIn } from '../../testkit/service/media.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';
import { assertNear } from './support/assertNear.mts';
import { BEEPED, BEEPED_SECONDS, BEEPS, beepsIn, made } from './support/beepFiles.mts';
import { casesOf } from './support/casesOf.mts';

await using service = await startService(...QUICK);

/** A broadcast whose sound changes between its parts. */
interface Changing {
	what: string;
	/** With the extension that says the container. */
	name: string;
	codec: string;
	/** How ffmpeg encodes the sound of each part. */
	parts: ReadonlyArray<readonly string[]>;
	/** Between the parts, nothing was recorded. */
	gapSeconds?: number;
	/** What an encoder puts before and behind its sound: parts overlap there. */
	overlapSeconds?: number;
	isSoundAlone?: boolean;
	/** Seconds before the first sound. */
	lateBySeconds?: number;
}

const PICTURE = ['-f', 'lavfi', '-i', `testsrc=s=160x120:r=25:d=${BEEPED_SECONDS}`];
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '25'];
const MONO = ['-ac', '1'];
const STEREO = ['-ac', '2'];
const SURROUND = ['-ac', '6'];

const FILES = casesOf<Changing>(
	[
		{
			what: 'many changes of channels',
			name: 'ads.mkv',
			codec: 'ac3',
			parts: [STEREO, SURROUND, MONO, STEREO, SURROUND, STEREO],
		},
		{
			what: 'mono to stereo',
			name: 'stream.flv',
			codec: 'libmp3lame',
			overlapSeconds: 0.06,
			parts: [MONO, STEREO],
		},
		{
			what: 'a gap where it changes',
			name: 'gap.mkv',
			codec: 'mp2',
			parts: [STEREO, MONO],
			gapSeconds: 3,
		},
		{
			what: 'changes behind a long silence',
			name: 'late.mka',
			codec: 'ac3',
			parts: [STEREO, SURROUND, MONO],
			lateBySeconds: 70,
			isSoundAlone: true,
		},
	],
	[
		{ what: 'stereo to surround', name: 'tv.ts', codec: 'ac3', parts: [STEREO, SURROUND] },
		{
			what: 'a gap where it changes',
			name: 'gap.ts',
			codec: 'mp2',
			parts: [STEREO, MONO],
			gapSeconds: 3,
		},
		{
			what: 'another rate',
			name: 'rate.ts',
			codec: 'mp2',
			parts: [STEREO, ['-ac', '2', '-ar', '32000'], STEREO],
		},
		{
			what: 'another rate and back',
			name: 'radio.mka',
			codec: 'mp2',
			overlapSeconds: 0.03,
			parts: [STEREO, ['-ac', '1', '-ar', '24000'], STEREO],
			isSoundAlone: true,
		},
		{
			what: 'surround to stereo',
			name: 'aac.ts',
			codec: 'aac',
			overlapSeconds: 0.06,
			parts: [SURROUND, STEREO],
		},
		{
			what: 'another rate',
			name: 'rate.mkv',
			codec: 'libmp3lame',
			overlapSeconds: 0.06,
			parts: [STEREO, ['-ac', '1', '-ar', '24000']],
		},
		{
			what: 'stereo to mono',
			name: 'stream.mp4',
			codec: 'libmp3lame',
			overlapSeconds: 0.06,
			parts: [STEREO, MONO],
		},
		{ what: 'stereo to surround', name: 'tv.mov', codec: 'ac3', parts: [STEREO, SURROUND] },
		{ what: 'stereo to mono', name: 'old.avi', codec: 'ac3', parts: [STEREO, MONO] },
		{ what: 'stereo to mono', name: 'dvd.mpg', codec: 'ac3', parts: [STEREO, MONO, SURROUND] },
		{
			what: 'changes of channels',
			name: 'radio.mka',
			codec: 'ac3',
			parts: [STEREO, SURROUND, MONO],
			isSoundAlone: true,
		},
		{
			what: 'changes of channels',
			name: 'radio.ts',
			codec: 'ac3',
			parts: [STEREO, SURROUND, MONO],
			isSoundAlone: true,
		},
	],
);

/** All packets and pictures end at multiples of this. */
const PACKET_SECONDS = 0.96;

const stepOf = ({ parts }: Changing) =>
	Math.floor(BEEPED_SECONDS / parts.length / PACKET_SECONDS) * PACKET_SECONDS;

/** Makes a transport stream, which each part of the program continues in time, and copies it to its container. */
async function recorded(file: Changing) {
	const { name, codec, parts, gapSeconds = 0, isSoundAlone, lateBySeconds = 0 } = file;
	const step = stepOf(file);
	const maps = isSoundAlone ? ['-map', '0'] : ['-map', '1', '-map', '0', ...H264];
	const pieces: Buffer[] = [];
	for (const [index, options] of parts.entries()) {
		const [from, seconds] = [index * step, index < parts.length - 1 ? step : BEEPED_SECONDS];
		const range = ['-ss', String(from), '-t', String(seconds)];
		const later = ['-output_ts_offset', String(from + index * gapSeconds)];
		const sound = ['-c:a', codec, ...options];
		pieces.push(
			await made('part.ts', ...BEEPED, ...PICTURE, ...range, ...maps, ...sound, ...later),
		);
	}
	const stream = Buffer.concat(pieces);
	const extension = name.split('.')[1];
	return extension === 'ts'
		? stream
		: await convertedTo(
				stream,
				extension,
				'-c',
				'copy',
				'-output_ts_offset',
				String(lateBySeconds),
			);
}

for (const file of FILES) {
	const {
		what,
		name,
		parts,
		gapSeconds = 0,
		overlapSeconds = 0,
		isSoundAlone = false,
		lateBySeconds = 0,
	} = file;
	await test(`keeps the times of ${name}, with ${what}`, async () => {
		const source = await recorded(file);
		const { file: edited, result } = await service.ann.finish(
			source,
			{ ...PLAIN, video: !isSoundAlone },
			name,
		);
		const { beeps, seconds } = await beepsIn(edited);
		const partOf = (at: number) => Math.min(parts.length - 1, Math.floor(at / stepOf(file)));
		const gapsBefore = (at: number) => gapSeconds * partOf(at);
		assert.equal(beeps.length, BEEPS.length, beeps.join());
		const delay = beeps[0] - BEEPS[0] - lateBySeconds;
		assertNear(delay, 0, 0.05, 'seconds before the sound');
		for (const [index, at] of BEEPS.entries()) {
			const wanted = at + lateBySeconds + gapsBefore(at) + delay;
			const slack = 0.02 + overlapSeconds * partOf(at);
			assertNear(beeps[index], wanted, slack, 'seconds where a beep begins');
		}
		const wanted = lateBySeconds + BEEPED_SECONDS + gapsBefore(BEEPED_SECONDS);
		assertNear(seconds, wanted, 0.1, 'seconds');
		assert.deepEqual(result.notes ?? [], []);
		const { streams } = await streamsIn(edited);
		assert.equal(streams.length, isSoundAlone ? 1 : 2);
	});
}
