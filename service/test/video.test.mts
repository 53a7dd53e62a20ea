import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { CodedVideoPlan } from '../../testkit/media/codedVideo.mts';
import { measureLipSyncOf } from '../eval/lipSync.mts';
import { assertNear } from './support/assertNear.mts';
import { casesOf } from './support/casesOf.mts';
import { finishedFile, send } from '../../testkit/service/client.mts';
import { convertedTo, decodedSeconds, loudnessLufs, probe } from '../../testkit/service/media.mts';
import { talk } from '../../testkit/service/recordings.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';
import {
	codedVideo,
	CUT,
	H264,
	MP4,
	PHRASES,
	pictureHash,
	planOf,
	readingOf,
	videoInfo,
} from '../../testkit/service/video.mts';
import { unzipped } from '../../testkit/service/zip.mts';

await using service = await startService(...QUICK);
const { ann } = service;

const UNCUT = { video: true, remove_noise: false, normalize: true, target_lufs: -20 } as const;

const VP8 = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus'];
const MPEG4 = ['-c:v', 'mpeg4', '-q:v', '4', '-c:a', 'libmp3lame'];

/** A video in a container, and the codecs after its picture was cut. */
interface Container {
	plan: CodedVideoPlan;
	format: RegExp;
	picture: string;
	sound: string;
}

const h264 = { picture: 'h264', sound: 'aac' };

for (const { plan, format, picture, sound } of casesOf<Container>(
	[{ plan: MP4, format: /\bmp4\b/, ...h264 }],
	[
		{ plan: planOf('talk.mov', '30000/1001', H264), format: /^mov/, ...h264 },
		{ plan: planOf('talk.webm', '30', VP8), format: /webm/, picture: 'vp9', sound: 'opus' },
		{ plan: planOf('talk.avi', '25', MPEG4), format: /^avi$/, picture: 'mpeg4', sound: 'mp3' },
		{ plan: planOf('talk.mkv', '24', H264), format: /matroska/, ...h264 },
	],
)) {
	const { fileName } = plan;
	const source = await codedVideo(plan);
	const before = await readingOf(source);
	await test(`cuts ${fileName} in its container, with sound and picture of equal length`, async () => {
		const { result, file } = await ann.finish(source, CUT, fileName);
		assert.equal(result.filename, fileName.replace('talk', 'talk-edited'));
		assert.equal(result.video, true);
		assert.equal(result.statistics?.DEADAIR, PHRASES);
		const info = await videoInfo(file);
		assert.match(info.container, format);
		assert.deepEqual([info.picture.codec_name, info.sound], [picture, sound]);
		const after = await readingOf(file);
		assert.equal(after.onsetsSeconds.length, PHRASES);
		assert.ok(after.soundSeconds < before.soundSeconds - 3);
		const shownSeconds = (after.pictures.at(-1)?.seconds ?? 0) + 1 / 25;
		assertNear(shownSeconds, after.soundSeconds, 0.1, 'seconds of picture');
	});
	await test(`copies the picture of ${fileName} bit by bit without cuts and enhances only the sound`, async () => {
		const { file } = await ann.finish(source, UNCUT, fileName);
		assert.equal(await pictureHash(file), await pictureHash(source));
		assertNear(await loudnessLufs(file), -20, 0.5, 'LUFS');
		const after = await readingOf(file);
		before.onsetsSeconds.forEach((onset, index) => {
			const [frameBefore, frameAfter] = [before, after].map(({ pictures }) => pictures[20].seconds);
			const moved = after.onsetsSeconds[index] - onset - (frameAfter - frameBefore);
			assertNear(moved, 0, 0.03, 'seconds that the sound moved');
		});
	});
}

const VARIABLE_RATE = "select='not(eq(mod(n,3),1))*not(between(mod(n,90),30,44))'";

for (const plan of casesOf<CodedVideoPlan>(
	[{ ...planOf('late-sound.mp4', '25', H264), soundDelaySeconds: 0.7 }],
	[
		planOf('29.97.mov', '30000/1001', H264),
		{ ...planOf('variable.mp4', '30', H264), pictureFilter: VARIABLE_RATE },
		{ ...planOf('early-sound.mkv', '25', H264), soundDelaySeconds: -0.53 },
		planOf('talk.webm', '30', VP8),
		planOf('talk.avi', '25', MPEG4),
	],
)) {
	await test(`keeps sound and picture of ${plan.fileName} in sync within a frame after cuts`, async () => {
		await using folder = await temporaryFolder();
		const report = await measureLipSyncOf({ ...plan, phrases: 10 }, folder.path);
		assert.equal(report.cuts, 10);
		assert.ok(report.worstErrorMs <= report.frameMs, JSON.stringify(report));
	});
}

const mp4 = await codedVideo(MP4);

await test('keeps picture and length with muted', async () => {
	const { result, file } = await ann.finish(mp4, { ...CUT, muted: true }, 'talk.mp4');
	assert.equal(result.statistics?.DEADAIR, PHRASES);
	assert.equal(await pictureHash(file), await pictureHash(mp4));
	assertNear(await decodedSeconds(file), await decodedSeconds(mp4), 0.03, 'seconds');
});

await test('keeps the rotation of a copied picture and turns a cut one upright', async () => {
	const source = await convertedTo(mp4, 'mp4', '-c', 'copy', '-metadata:s:v:0', 'rotate=90');
	const { file: copied } = await ann.finish(source, UNCUT, 'phone.mp4');
	const { picture } = await videoInfo(copied);
	assert.equal(Math.abs(picture.side_data_list[0]?.rotation ?? 0), 90);
	const { file: cut } = await ann.finish(source, CUT, 'phone.mp4');
	const upright = await videoInfo(cut);
	assert.deepEqual([upright.picture.width, upright.picture.height], [64, 256]);
	assert.ok(!upright.picture.side_data_list.some(({ rotation = 0 }) => rotation !== 0));
});

await test('adds the uncut enhanced sound with audio_for_edl', async () => {
	const config = { ...CUT, audio_for_edl: true, export_format: 'wav' } as const;
	const { result, file } = await ann.finish(mp4, config, 'talk.mp4');
	// A client that takes this for the mix must not get uncut sound.
	assert.deepEqual(result.merged_audio_url, []);
	const [link = '', ...more] = result.audio_for_edl_urls ?? [];
	assert.deepEqual(more, []);
	const uncut = await send('GET', link);
	assert.match(decodeURIComponent(link), /talk-edited-uncut\.wav/);
	assert.equal((await probe(uncut.bytes)).codec, 'pcm_s16le');
	assertNear(await decodedSeconds(uncut.bytes), await decodedSeconds(mp4), 0.03, 'seconds');
	assert.ok((await decodedSeconds(file)) < (await decodedSeconds(mp4)) - 3);
});

await test('treats a video as audio when video is off', async () => {
	const { result, file } = await ann.finish(mp4, { ...CUT, video: false }, 'talk.mp4');
	assert.equal(result.filename, 'talk-edited.m4a');
	assert.equal(result.video, false);
	assert.equal((await probe(file)).codec, 'aac');
});

await test('cuts a camera and a microphone track alike, and merges them into one video', async () => {
	const tracks = { 'camera.mp4': mp4, 'microphone.wav': talk };
	const edit = await ann.runTracks(tracks, { ...CUT, long_silences: false });
	const files = await unzipped((await finishedFile(edit)).file);
	assert.deepEqual([...files.keys()], ['camera-edited.mp4', 'microphone-edited.wav']);
	const merged = await ann.runTracks(tracks, { ...CUT, merge: true, audio_for_edl: true });
	const { result, file } = await finishedFile(merged);
	assert.equal(result.filename, 'camera-edited-merged.mp4');
	const links = decodeURIComponent(result.merged_audio_url.join());
	assert.match(links, /^\S+camera-edited-merged\.mp4\?\S+$/);
	assert.equal(result.audio_for_edl_urls?.length, 1);
	assert.equal((await videoInfo(file)).picture.codec_name, 'h264');
});
