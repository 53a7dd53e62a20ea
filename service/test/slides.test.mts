import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { editRecording } from '../engine/editRecording.mts';
import { newTime } from '../media/pictureTimes.mts';
import { resolveEditConfig } from '../shared/contract.mts';
import { makeCodedVideo, type CodedVideoPlan } from '../../testkit/media/codedVideo.mts';
import { readCodedVideo, type CodedReading } from '../../testkit/media/readCodedVideo.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { CUT, H264, planOf } from '../../testkit/service/video.mts';
import { assertNear } from './support/assertNear.mts';
import { casesOf } from './support/casesOf.mts';

const VP8 = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus'];
// ffmpeg itself would show the first slide for twice its time.
const MPEG4 = ['-c:v', 'mpeg4', '-c:a', 'libmp3lame', '-avoid_negative_ts', 'disabled'];

/** A picture that is shown for less may fall between two frames. */
const MIN_SHOWN_SECONDS = 0.1;

/** Edits a video; returns it before and after, and what was removed. */
async function edited(plan: CodedVideoPlan, config: Parameters<typeof resolveEditConfig>[0]) {
	await using folder = await temporaryFolder();
	const [workFolder, resultFolder] = [join(folder.path, 'work'), join(folder.path, 'result')];
	for (const path of [workFolder, resultFolder]) await mkdir(path);
	const path = await makeCodedVideo(plan, folder.path);
	const request = {
		sources: [{ path, name: plan.fileName }],
		config: resolveEditConfig(config),
		maxSourceSeconds: 3_600,
		workFolder,
		resultFolder,
	};
	const { edits, fileName } = await editRecording(request, () => undefined);
	const after = await readCodedVideo(join(resultFolder, fileName));
	return { before: await readCodedVideo(path), after, edits };
}

/** When each picture begins to be shown, by its number. */
function beginnings({ pictures }: CodedReading): Map<number, number> {
	return new Map(pictures.toReversed().map(({ number, seconds }) => [number, seconds]));
}

for (const [name, rate, codecs] of casesOf<[name: string, rate: string, codecs: string[]]>(
	[
		['slides.mp4', '1/5', H264],
		['slides.mkv', '1/5', H264],
		['every-second.mp4', '1', H264],
	],
	[
		['slides.avi', '1/5', MPEG4],
		['slides.webm', '1/5', VP8],
		['every-two-seconds.mov', '1/2', H264],
		['every-second.avi', '1', MPEG4],
		['five-a-second.mkv', '5', H264],
	],
)) {
	for (const [how, config] of [
		['cut', CUT],
		['copied', { video: true, remove_noise: false }],
	] as const) {
		await test(`shows every picture of ${name} in time, ${how}`, async () => {
			const { before, after, edits } = await edited(planOf(name, rate, codecs), config);
			assert.equal(edits.length > 0, how === 'cut');
			const shown = beginnings(after);
			const source = [...beginnings(before)].toSorted((a, b) => a[1] - b[1]);
			for (const [index, [number, at]] of source.entries()) {
				const begin = newTime(at, edits);
				const end = newTime(source[index + 1]?.[1] ?? before.soundSeconds, edits);
				if (end - begin < MIN_SHOWN_SECONDS) continue;
				const found = shown.get(number);
				assert.ok(found !== undefined, `the picture of ${at} s is lost`);
				assertNear(found, begin, 0.05, `seconds where the picture of ${at} s begins`);
			}
		});
	}
}

await test('shows the last picture until the sound ends, after cuts', async () => {
	// The pictures end long before the sound.
	const pictureFilter = "select='lt(t,5)'";
	const { after } = await edited({ ...planOf('still.mp4', '10', H264), pictureFilter }, CUT);
	// It is shown for a frame, and ends within a frame of the sound.
	const end = (after.pictures.at(-1)?.seconds ?? 0) + 0.1;
	assertNear(end, after.soundSeconds, 0.1, 'the end of the last picture');
});
