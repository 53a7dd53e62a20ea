import assert from 'node:assert/strict';
import { test } from 'node:test';

import { makeRecording } from '../../testkit/media/recording.ts';
import { assertNear } from './support/assertNear.mts';
import { casesOf } from './support/casesOf.mts';
import { finishedFile, resultOf, send } from '../../testkit/service/client.mts';
import { eventually } from '../../testkit/time/eventually.mts';
import {
	convertedTo,
	decodedSeconds,
	levelDb,
	loudnessLufs,
	probe,
	samplesOf,
	truePeakDb,
} from '../../testkit/service/media.mts';
import { keptOf, PLAIN as RAW, talk } from '../../testkit/service/recordings.mts';
import { answering, startOutsideServer } from '../../testkit/service/servers.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';
import { fileNamed, unzipped } from '../../testkit/service/zip.mts';

await using service = await startService(...QUICK);
const { ann } = service;

/** Speaks from 0 to 2, 7 to 9 and 12 to 13 s. */
const host = makeRecording({ partsSeconds: [2, 5, 2, 3, 1] });
/** Speaks from 3 to 4 s and ends after 11 s. */
const guest = makeRecording({ partsSeconds: [0, 3, 1, 7] });
const stereoGuest = await convertedTo(guest, 'mp3', '-ar', '44100', '-ac', '2', '-b:a', '192k');

async function tracksOf(...request: Parameters<typeof ann.runTracks>) {
	const { result, answer, file } = await finishedFile(await ann.runTracks(...request));
	return { result, answer, files: await unzipped(file) };
}

/** Start of the first sound after `fromSeconds`, at 16 kHz. */
function onsetSeconds(samples: Float32Array, fromSeconds: number): number {
	const from = Math.round(fromSeconds * 16_000);
	const index = samples.subarray(from).findIndex((sample) => Math.abs(sample) > 0.02);
	return (from + index) / 16_000;
}

await test('cuts only what is silent on every track, at the same times from all of them', async () => {
	const config = { ...RAW, long_silences: true } as const;
	const sources = { 'host.wav': host, 'guest.mp3': stereoGuest };
	const { result, answer, files } = await tracksOf(sources, config);
	assert.equal(result.filename, 'host-edited-tracks.zip');
	assert.equal(answer.contentType, 'application/zip');
	assert.deepEqual([...files.keys()], ['host-edited.wav', 'guest-edited.mp3']);
	assert.deepEqual(result.merged_audio_url, []);
	// 2 to 3, 4 to 7 and 9 to 12 s: 0.8 s and more of each stay.
	const [short, long] = [1 - keptOf(1), 3 - keptOf(3)];
	assert.equal(result.statistics?.DEADAIR, 3);
	const editedHost = await samplesOf(fileNamed(files, 'host-edited.wav'));
	const guestFile = fileNamed(files, 'guest-edited.mp3');
	const editedGuest = await samplesOf(guestFile);
	assertNear(editedHost.length / 16_000, 13 - short - 2 * long, 0.2, 'seconds of the host');
	assertNear(editedGuest.length / 16_000, 11 - short - long - 1.5, 0.2, 'seconds of the guest');
	const guestSpeaks = onsetSeconds(editedGuest, 0.5);
	const hostSpeaksAgain = onsetSeconds(editedHost, 2.5);
	assertNear(hostSpeaksAgain - guestSpeaks, 7 - 3 - long, 0.2, 's from guest to host');
	const hostDb = levelDb(editedHost, guestSpeaks, guestSpeaks + 1);
	assert.ok(hostDb < -50, 'the pause of the host is gone');
	const { codec, rateHz } = await probe(guestFile);
	assert.deepEqual({ codec, rateHz }, { codec: 'mp3', rateHz: 44_100 });
});

await test('ignores a track without speech when cutting', async () => {
	const config = { ...RAW, long_silences: true } as const;
	const empty = makeRecording({ partsSeconds: [0, 13] });
	const { result } = await tracksOf({ 'host.wav': host, 'empty.wav': empty }, config);
	assert.equal(result.statistics?.DEADAIR, 2);
});

await test('gives tracks with equal names unique names, and normalizes each', async () => {
	const config = { ...RAW, normalize: true, target_lufs: -20, export_format: 'flac' } as const;
	const files = [await ann.upload(talk, 'voice.wav'), await ann.upload(host, 'voice.wav')];
	const edit = await ann.ended(await ann.create({ files, config }));
	const tracks = await unzipped((await finishedFile(edit)).file);
	assert.deepEqual([...tracks.keys()], ['voice-edited.flac', 'voice-edited-2.flac']);
	for (const track of tracks.values()) assertNear(await loudnessLufs(track), -20, 0.5, 'LUFS');
});

await test('merges all tracks into one file without clipping', async () => {
	const loud = await convertedTo(talk, 'wav', '-af', 'volume=12dB');
	const louder = await convertedTo(talk, 'wav', '-af', 'volume=13dB', '-ar', '44100', '-ac', '2');
	const edit = await ann.runTracks({ 'a.wav': loud, 'b.wav': louder }, { ...RAW, merge: true });
	const { result, file } = await finishedFile(edit);
	assert.equal(result.filename, 'a-edited-merged.wav');
	assert.equal(result.merged_audio_url.length, 1);
	const merged = await send('GET', result.merged_audio_url[0] ?? '');
	assert.ok(merged.bytes.equals(file));
	const peak = await truePeakDb(file);
	assert.ok(peak <= -1 && peak > -3, `${peak} dBTP`);
	assert.equal((await probe(file)).rateHz, 44_100);
});

await test('merges with normalize at the target loudness and with tracks in sync', async () => {
	const config = { ...RAW, merge: true, normalize: true, long_silences: true } as const;
	const edit = await ann.runTracks({ 'host.wav': host, 'guest.mp3': stereoGuest }, config);
	const { file } = await finishedFile(edit);
	assertNear(await loudnessLufs(file), -16, 0.5, 'LUFS');
	assert.ok((await truePeakDb(file)) <= -1);
	assertNear(await decodedSeconds(file), 8.8, 0.2, 'seconds');
	const samples = await samplesOf(file);
	const [hostDb, guestDb] = [levelDb(samples, 0.2, 1.8), levelDb(samples, 3, 3.6)];
	assertNear(guestDb, hostDb, 3, 'dB of the guest beside the host');
});

await test('delivers the ZIP to the signed URL', async () => {
	await using storage = await startOutsideServer(answering(200));
	const signed_url = `${storage.url}/tracks.zip?signature=1`;
	const edit = await ann.runTracks({ 'a.wav': talk, 'b.wav': host }, { ...RAW, signed_url });
	assert.equal(resultOf(edit).download_url, `${storage.url}/tracks.zip`);
	const [delivered] = storage.visits;
	assert.ok(delivered);
	assert.equal(delivered.headers['content-type'], 'application/zip');
	assert.equal((await unzipped(delivered.body)).size, 2);
});

await test('fails the edit and names the track that cannot be used', async () => {
	const edit = await ann.runTracks({ 'a.wav': talk, 'b.wav': Buffer.from('no sound') }, RAW);
	assert.equal(edit.status, 'FAILURE');
	assert.match(service.logOf(edit.task_id).at(-1) ?? '', /b\.wav.*not an audio or video file/);
	await eventually('the failed edit has left nothing', async () => {
		const folders = await service.folder('edits');
		return !folders.includes(edit.task_id);
	});
});

for (const cuts of casesOf([], [24]))
	await test(`keeps tracks of different rates in sync to the sample over ${cuts} cuts`, async () => {
		const phrases = Array.from({ length: cuts }, (_, i) => [0.7 + (i % 5) / 7, 1 + (i % 7) / 11]);
		const long = makeRecording({ partsSeconds: phrases.flat() });
		const finer = await convertedTo(long, 'wav', '-ar', '44100');
		const sources = { 'a.wav': long, 'b.wav': finer };
		const { result, files } = await tracksOf(sources, { ...RAW, long_silences: true });
		assert.ok((result.statistics?.DEADAIR ?? 0) > 20);
		const one = await samplesOf(fileNamed(files, 'a-edited.wav'));
		const other = await samplesOf(fileNamed(files, 'b-edited.wav'));
		assertNear(other.length, one.length, 1, 'samples');
		const from = one.length - 16_000 * 2;
		const distance = (shift: number) => {
			let sum = 0;
			for (let i = from; i < one.length - 100; i++) sum += (one[i] - other[i + shift]) ** 2;
			return sum;
		};
		const shifts = Array.from({ length: 41 }, (_, i) => i - 20);
		const best = shifts.reduce((a, b) => (distance(b) < distance(a) ? b : a));
		assert.ok(Math.abs(best) <= 1, `the tracks are ${best} samples apart at the end`);
	});
