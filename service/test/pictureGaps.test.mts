import assert from 'node:assert/strict';
import { test } from 'node:test';

import { finishedFile } from '../../testkit/service/client.mts';
import { convertedTo } from '../../testkit/service/media.mts';
import { talk } from '../../testkit/service/recordings.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';
import { codedVideo, CUT, H264, planOf, readingOf } from '../../testkit/service/video.mts';
import { assertNear } from './support/assertNear.mts';
import { casesOf } from './support/casesOf.mts';

const LIMIT_SECONDS = 600;

await using service = await startService(
	...QUICK,
	'--max-source-hours',
	String(LIMIT_SECONDS / 3_600),
);
const { ann } = service;

const LATE = 200;
const BUSY_PICTURES = 30;
const RATE = '60';

const VP8 = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus'];
const MPEG4 = ['-c:v', 'mpeg4', '-q:v', '4', '-c:a', 'libmp3lame'];

/** Moves the pictures after the first half second, so that nothing new is shown for a while. */
const withGap = (seconds: number) => `setpts='if(lt(N,${BUSY_PICTURES}),PTS,PTS+${seconds}/TB)'`;

/** Where no picture follows within a second, counted for each picture that is there. */
function mostPicturesASecond(seconds: readonly number[], from: number, to: number): number {
	const within = seconds.filter((time) => time > from && time < to);
	return Math.max(
		...within.map((time) => within.filter((other) => other >= time && other < time + 0.99).length),
	);
}

for (const [name, codecs] of casesOf<[name: string, codecs: string[]]>(
	[['gap.mp4', H264]],
	[
		['gap.mov', H264],
		['gap.mkv', H264],
		['gap.webm', VP8],
		['gap.avi', MPEG4],
	],
)) {
	await test(`repeats a picture once a second in a gap of ${name}, and cuts nothing off`, async () => {
		const plan = planOf(name, RATE, codecs);
		const source = await codedVideo({ ...plan, pictureFilter: withGap(LATE) });
		const before = await readingOf(source);
		const { file } = await ann.finish(source, CUT, name);
		const after = await readingOf(file);
		const removed = before.soundSeconds - after.soundSeconds;
		const seconds = after.pictures.map((picture) => picture.seconds);
		assert.ok(removed > 3);
		assertNear(seconds.at(-1) ?? 0, (before.pictures.at(-1)?.seconds ?? 0) - removed, 0.05, 'end');
		assert.equal(after.pictures.at(-1)?.number, before.pictures.at(-1)?.number);
		assert.equal(mostPicturesASecond(seconds, 1, LATE - removed), 1);
		const steps = seconds.slice(1).map((time, index) => time - seconds[index]);
		assert.ok(Math.max(...steps) < 1.1, `${Math.max(...steps)} s without a picture`);
	});
}

await test('keeps the times of a screen recording with a picture every three seconds', async () => {
	const pictureFilter = "select='not(mod(n,90))'";
	const source = await codedVideo({ ...planOf('screen.mp4', '30', H264), pictureFilter });
	const before = await readingOf(source);
	const { file } = await ann.finish(source, CUT, 'screen.mp4');
	const after = await readingOf(file);
	// The last one may be shown from the very end on.
	const [numbers, expected] = [after, before].map(({ pictures }) => [
		...new Set(pictures.slice(0, -1).map(({ number }) => number)),
	]);
	assert.deepEqual(numbers.slice(0, expected.length), expected);
	assert.ok(after.pictures.length <= after.soundSeconds + 2 * before.pictures.length);
	assert.ok((after.pictures.at(-1)?.seconds ?? 0) > after.soundSeconds - 1.1);
});

const tooLong = /FAILURE \(.*picture is too long: .* 0\.167 hours/;

await test('counts the longer of sound and picture against the limit, where the picture is kept', async () => {
	const pictureFilter = withGap(LIMIT_SECONDS);
	const source = await codedVideo({ ...planOf('long.mp4', RATE, H264), pictureFilter });
	for (const config of [CUT, { video: true, remove_noise: false }]) {
		const { task_id: id } = await ann.run(source, config, 'long.mp4');
		assert.match(service.logOf(id).at(-1) ?? '', tooLong);
	}
	assert.equal((await ann.run(source, { ...CUT, video: false }, 'long.mp4')).status, 'SUCCESS');
});

await test('believes the pictures and not the header about the length of the picture', async () => {
	const source = await codedVideo(planOf('talk.mp4', '25', H264));
	for (const box of ['mvhd', 'tkhd', 'mdhd']) {
		// The picture's track comes first.
		const at = source.indexOf(box);
		source.writeUInt32BE(0x7f_ff_ff_f0, at + (box === 'tkhd' ? 24 : 20));
	}
	const { file } = await finishedFile(await ann.run(source, CUT, 'talk.mp4'));
	const { pictures, soundSeconds } = await readingOf(file);
	assertNear((pictures.at(-1)?.seconds ?? 0) + 1 / 25, soundSeconds, 0.1, 'seconds of picture');
});

await test('takes no cover for a picture that counts', async () => {
	for (const [format, ...options] of [
		['m4a', '-c:v', 'mjpeg', '-disposition:v', 'attached_pic'],
		['mp3', '-c:v', 'mjpeg', '-disposition:v', 'attached_pic'],
	]) {
		const cover = [
			'-f',
			'lavfi',
			'-i',
			'color=red:s=64x64:r=1/7200:d=7200',
			'-map',
			'0',
			'-map',
			'1',
		];
		const source = await convertedTo(talk, format, ...cover, '-frames:v', '1', ...options);
		const { result } = await ann.finish(source, CUT, `talk.${format}`);
		assert.equal(result.filename, `talk-edited.${format}`);
	}
});
