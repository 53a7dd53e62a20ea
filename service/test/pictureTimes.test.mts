import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';

import { frameRateOf } from '../media/picture.mts';
import { newTimeExpression } from '../media/pictureTimes.mts';
import { streamFfmpeg } from '../media/ffmpeg/runFfmpeg.mts';
import { rangesAtRate, rangesOfTrack, sharedRanges } from '../engine/sharedTimeline.mts';
import { rangesOf } from '../engine/timeline.mts';
import { assertNear } from './support/assertNear.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import type { TimeRange } from '../shared/timeRanges.mts';

/** New times, in microseconds, that ffmpeg gives to frames at 10 per second. */
async function newTimes(ranges: readonly TimeRange[], seconds: number): Promise<number[]> {
	await using folder = await temporaryFolder();
	const script = join(folder.path, 'filter.txt');
	await writeFile(script, `settb=1/1000000,setpts='(${newTimeExpression(ranges)})/TB'`);
	const input = ['-f', 'lavfi', '-i', `color=size=16x16:rate=10:duration=${seconds}`];
	const output = ['-vsync', 'passthrough', '-enc_time_base', '1/1000000', '-f', 'framecrc', '-'];
	const args = [...input, '-filter_script:v', script, '-c:v', 'rawvideo', ...output];
	const lines = (await text(streamFfmpeg(args))).split('\n');
	return lines.filter((line) => /^0,/.test(line)).map((line) => Number(line.split(',')[2]));
}

/** The new time of a moment, computed one range at a time. */
function moved(seconds: number, ranges: readonly TimeRange[]): number {
	return ranges.reduce(
		(time, { startSeconds, endSeconds }) =>
			time - Math.max(0, Math.min(seconds, endSeconds) - startSeconds),
		seconds,
	);
}

for (const cuts of [0, 1, 2, 7, 3_000]) {
	await test(`moves frames by exactly what ${cuts} cuts remove before them`, async () => {
		const ranges = Array.from({ length: cuts }, (_, index) => {
			const startSeconds = index * 0.37 + (index % 5) * 0.031;
			return { startSeconds, endSeconds: startSeconds + 0.05 + (index % 3) * 0.06 };
		});
		const seconds = Math.ceil(cuts * 0.37) + 2;
		const times = await newTimes(ranges, seconds);
		assert.equal(times.length, seconds * 10);
		times.forEach((time, index) => {
			assertNear(time / 1e6, moved(index / 10, ranges), 0.00001, `time of picture ${index}`);
		});
	});
}

await test('keeps a constant frame rate and picks one that fits all frames of a variable one', () => {
	assert.equal(frameRateOf('30000/1001', '30000/1001'), '30000/1001');
	assert.equal(frameRateOf('30/1', '14237/500'), '30/1');
	assert.equal(frameRateOf('120/1', '120/1'), '120/1');
	assert.equal(frameRateOf('90000/1', '2997/100'), '30000/1001');
	assert.equal(frameRateOf('1000/1', '0/0'), '30/1');
	assert.equal(frameRateOf('0/0', '0/0'), '30/1');
	assert.equal(frameRateOf('1000/1', '144/1'), '60/1');
	assert.equal(frameRateOf('90000/1', '90000/1'), '60/1');
	assert.equal(frameRateOf('1/3', '1/3'), '20/1');
	assert.equal(frameRateOf('5/1', '5/1'), '20/1');
});

/** Edits of different length, none shorter than this. */
function manyEdits(length: number, minSeconds: number): TimeRange[] {
	return Array.from({ length }, (_, index) => {
		const startSeconds = index * 1.7 + (index % 7) / 9;
		return { startSeconds, endSeconds: startSeconds + minSeconds + (index % 11) / 31 };
	});
}

await test('removes the same time from tracks of any rate up to any moment', () => {
	const edits = manyEdits(2_000, 0.3);
	const ranges = sharedRanges(edits);
	assert.equal(ranges.length, edits.length);
	for (const rateHz of [8_000, 11_025, 22_050, 44_100, 44_056, 48_000, 96_000]) {
		const own = rangesAtRate(ranges, rateHz, 4_000 * rateHz);
		let [wanted, removed] = [0, 0];
		own.forEach(({ startSeconds, endSeconds }, index) => {
			wanted += ranges[index].endSeconds - ranges[index].startSeconds;
			removed += endSeconds - startSeconds;
			assertNear(startSeconds, ranges[index].startSeconds, 0.5001 / rateHz, 'start');
			assertNear(removed, wanted, 0.5001 / rateHz, `seconds removed at ${rateHz} Hz`);
		});
	}
});

await test('cuts a single audio track at its own frames', () => {
	const edits = manyEdits(500, 0.0004);
	for (const sampleRateHz of [8_000, 11_025, 44_100, 48_000, 96_000]) {
		const frames = 852 * sampleRateHz;
		const found = rangesOf(edits, sampleRateHz, frames);
		const own = rangesAtRate(rangesOfTrack(edits, { sampleRateHz, frames }), sampleRateHz, frames);
		assert.deepEqual(rangesOf(own, sampleRateHz, frames), found);
	}
});

await test('joins edits that touch or nearly touch', () => {
	const edits = [
		{ startSeconds: 5, endSeconds: 6 },
		{ startSeconds: 0.004, endSeconds: 1 },
		{ startSeconds: 5.5, endSeconds: 5.7 },
		{ startSeconds: 6.01, endSeconds: 7 },
		{ startSeconds: 8, endSeconds: 8.0005 },
	];
	assert.deepEqual(sharedRanges(edits), [
		{ startSeconds: 0, endSeconds: 1 },
		{ startSeconds: 5, endSeconds: 7 },
	]);
	const short = rangesAtRate([{ startSeconds: 1, endSeconds: 9 }], 100, 500);
	assert.deepEqual(short, [{ startSeconds: 1, endSeconds: 5 }]);
	assert.deepEqual(rangesAtRate([{ startSeconds: 6, endSeconds: 9 }], 100, 500), []);
});
