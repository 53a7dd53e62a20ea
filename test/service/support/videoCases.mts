import assert from 'node:assert/strict';

import type { CodedVideoPlan } from '../../../bench/eval/codedVideo.mts';
import { measureLipSyncOf } from '../../../bench/eval/lipSync.mts';
import { assertNear } from './assertNear.mts';
import type { Client } from './client.mts';
import { loudnessLufs } from './media.mts';
import { temporaryFolder } from './temporaryFolder.mts';
import { codedVideo, H264, pictureHash, readingOf, videoInfo } from './video.mts';

const VP8 = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus'];
const MPEG4 = ['-c:v', 'mpeg4', '-q:v', '4', '-c:a', 'libmp3lame'];

/** The number of phrases in each video, each with a silence. */
export const PHRASES = 6;

/** Settings that cut the picture, and ones that copy it. */
export const CUT = { video: true, long_silences: true, remove_noise: false } as const;
export const UNCUT = {
	video: true,
	remove_noise: false,
	normalize: true,
	target_lufs: -20,
} as const;

function planOf(fileName: string, frameRate: string, codecArguments: string[]): CodedVideoPlan {
	return { fileName, frameRate, codecArguments, phrases: PHRASES };
}

/** A video in a container, and the codecs after its picture was cut. */
interface Container {
	plan: CodedVideoPlan;
	format: RegExp;
	picture: string;
	sound: string;
}

const h264 = { picture: 'h264', sound: 'aac' };

export const MP4: Container = { plan: planOf('talk.mp4', '25', H264), format: /\bmp4\b/, ...h264 };

export const OTHER_CONTAINERS: readonly Container[] = [
	{ plan: planOf('talk.mov', '30000/1001', H264), format: /^mov/, ...h264 },
	{ plan: planOf('talk.webm', '30', VP8), format: /webm/, picture: 'vp9', sound: 'opus' },
	{ plan: planOf('talk.avi', '25', MPEG4), format: /^avi$/, picture: 'mpeg4', sound: 'mp3' },
	{ plan: planOf('talk.mkv', '24', H264), format: /matroska/, ...h264 },
];

export const LATE_SOUND: CodedVideoPlan = {
	...planOf('late-sound.mp4', '25', H264),
	soundDelaySeconds: 0.7,
};

export const OTHER_HARD_CASES: readonly CodedVideoPlan[] = [
	planOf('29.97.mov', '30000/1001', H264),
	{
		...planOf('variable.mp4', '30', H264),
		pictureFilter: "select='not(eq(mod(n,3),1))*not(between(mod(n,90),30,44))'",
	},
	{ ...planOf('early-sound.mkv', '25', H264), soundDelaySeconds: -0.53 },
	planOf('talk.webm', '30', VP8),
	planOf('talk.avi', '25', MPEG4),
];

/** Asserts that a video is cut in its container, with sound and picture of equal length. */
export async function assertCuts(client: Client, container: Container): Promise<void> {
	const { plan, format, picture, sound } = container;
	const source = await codedVideo(plan);
	const { result, file } = await client.finish(source, CUT, plan.fileName);
	assert.equal(result.filename, plan.fileName.replace('talk', 'talk-edited'));
	assert.equal(result.video, true);
	assert.equal(result.statistics?.DEADAIR, PHRASES);
	const info = await videoInfo(file);
	assert.match(info.container, format);
	assert.deepEqual([info.picture.codec_name, info.sound], [picture, sound]);
	const [before, after] = [await readingOf(source), await readingOf(file)];
	assert.equal(after.onsetsSeconds.length, PHRASES);
	assert.ok(after.soundSeconds < before.soundSeconds - 3);
	const shownSeconds = (after.pictures.at(-1)?.seconds ?? 0) + 1 / 25;
	assertNear(shownSeconds, after.soundSeconds, 0.1, 'seconds of picture');
}

/** Asserts that a cut video keeps sound and picture in sync within a frame. */
export async function assertInSync(plan: CodedVideoPlan): Promise<void> {
	await using folder = await temporaryFolder();
	const report = await measureLipSyncOf({ ...plan, phrases: 10 }, folder.path);
	assert.equal(report.cuts, 10);
	assert.ok(report.worstErrorMs <= report.frameMs, JSON.stringify(report));
}

/** Asserts that an edit without cuts copies the picture bit by bit and enhances only the sound. */
export async function assertCopiesPicture(client: Client, { plan }: Container): Promise<void> {
	const source = await codedVideo(plan);
	const { file } = await client.finish(source, UNCUT, plan.fileName);
	assert.equal(await pictureHash(file), await pictureHash(source));
	assertNear(await loudnessLufs(file), -20, 0.5, 'LUFS');
	const [before, after] = [await readingOf(source), await readingOf(file)];
	before.onsetsSeconds.forEach((onset, index) => {
		const [frameBefore, frameAfter] = [before, after].map(({ pictures }) => pictures[20].seconds);
		const moved = after.onsetsSeconds[index] - onset - (frameAfter - frameBefore);
		assertNear(moved, 0, 0.03, 'seconds that the sound moved');
	});
}
