import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertNear } from './support/assertNear.mts';
import { finishedFile, resultOf, send } from './support/client.mts';
import { decodedSeconds, probe } from './support/media.mts';
import { talk } from './support/recordings.mts';
import { QUICK, startService } from './support/testService.mts';
import { codedVideo, pictureHash, turned, videoInfo } from './support/video.mts';
import {
	assertCopiesPicture,
	assertCuts,
	assertInSync,
	CUT,
	LATE_SOUND,
	MP4,
	PHRASES,
	UNCUT,
} from './support/videoCases.mts';
import { unzipped } from './support/zip.mts';

await using service = await startService(...QUICK);
const { ann } = service;

const mp4 = await codedVideo(MP4.plan);

await test('cuts talk.mp4 in its container, with sound and picture of equal length', async () => {
	await assertCuts(ann, MP4);
});

await test('keeps sound and picture of late-sound.mp4 in sync within a frame after cuts', async () => {
	await assertInSync(LATE_SOUND);
});

await test('copies the picture of talk.mp4 bit by bit without cuts and enhances only the sound', async () => {
	await assertCopiesPicture(ann, MP4);
});

await test('keeps picture and length with muted', async () => {
	const { result, file } = await ann.finish(mp4, { ...CUT, muted: true }, 'talk.mp4');
	assert.equal(result.statistics?.DEADAIR, PHRASES);
	assert.equal(await pictureHash(file), await pictureHash(mp4));
	assertNear(await decodedSeconds(file), await decodedSeconds(mp4), 0.03, 'seconds');
});

await test('keeps the rotation of a copied picture and turns a cut one upright', async () => {
	const source = await turned(mp4);
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

await test('edits an audio file when video is on', async () => {
	const { result } = await ann.finish(talk, CUT, 'talk.wav');
	assert.equal(result.filename, 'talk-edited.wav');
});

await test('cuts a camera and a microphone track alike, and merges them into one video', async () => {
	const tracks = { 'camera.mp4': mp4, 'microphone.wav': talk };
	const edit = await ann.runTracks(tracks, { ...CUT, long_silences: false });
	const files = await unzipped((await finishedFile(edit)).file);
	assert.deepEqual([...files.keys()], ['camera-edited.mp4', 'microphone-edited.wav']);
	const merged = await ann.runTracks(tracks, { ...CUT, merge: true, audio_for_edl: true });
	const { result, file } = await finishedFile(merged);
	assert.equal(resultOf(merged).filename, 'camera-edited-merged.mp4');
	assert.match(
		decodeURIComponent(result.merged_audio_url.join()),
		/^\S+camera-edited-merged\.mp4\?\S+$/,
	);
	assert.equal(result.audio_for_edl_urls?.length, 1);
	assert.equal((await videoInfo(file)).picture.codec_name, 'h264');
});
