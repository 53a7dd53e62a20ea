import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Chance } from '../../testkit/measure/chance.mts';
import { packSound, unpackSound } from '../engine/review/keptSound.mts';
import { readStretch } from '../http/review/sound.mts';
import { readFrames } from '../media/pcmFile.mts';
import type { Cut } from '../shared/cuts.mts';
import { makeRecording } from '../../testkit/media/recording.ts';
import { finishedFile, send } from '../../testkit/service/client.mts';
import { convertedTo } from '../../testkit/service/media.mts';
import { changedCuts, framesOf } from '../../testkit/service/putBack.mts';
import { SILENCES as config, talk } from '../../testkit/service/recordings.mts';
import { onlyFirstKept, reviewed } from '../../testkit/service/reviews.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';
import { fileNamed, unzipped } from '../../testkit/service/zip.mts';

await using service = await startService(...QUICK, '--review');
const { ann } = service;

const stereo = await convertedTo(talk, 'wav', '-af', 'pan=stereo|c0=c0|c1=0.5*c0');
const other = makeRecording({ partsSeconds: [1.8, 1.9, 1.6, 3, 2, 0.5, 2] });

/**
 * Adds cuts between which sounds of 7, 15, 1 and 5 ms stay at 16 kHz. Puts half of each back, which no fade
 * may touch.
 */
function besideShortSounds(cuts: readonly Cut[], samples: number): Cut[] {
	const start = [0, 56, 112, 8_000, 8_060, 8_180, 8_240, 11_200, 11_204, 11_212, 11_216, 14_400];
	const borders = [...start, ...[4_900, 4_870, 4_800, 80, 40, 0].map((left) => samples - left)];
	const added = Array.from({ length: borders.length / 2 }, (_, index): Cut => {
		const [start, end] = borders.slice(2 * index);
		const keep = index % 2 === 0;
		return { kind: 'added', track: null, start, end, sure: null, by: '', keep };
	});
	return [...cuts, ...added].sort((a, b) => a.start - b.start);
}

await test('puts a cut back bit by bit: mono, stereo, two tracks', async () => {
	for (const source of [talk, stereo]) {
		const review = await reviewed(ann, { files: [await ann.upload(source)], config });
		const { cuts, samples } = await review.state();
		assert.equal(cuts.length, 2);
		const decided = besideShortSounds(onlyFirstKept(cuts), samples);
		await review.decide({ revision: 0, cuts: decided, approve: true });
		const { file } = await finishedFile(await ann.ended(review.id));
		assert.equal(changedCuts(file, source, decided), 0);
	}
	const files = [await ann.upload(talk, 'a.wav'), await ann.upload(other, 'b.wav')];
	const review = await reviewed(ann, { files, config, upload_type: 'multitrack' });
	const { cuts, tracks } = await review.state();
	assert.deepEqual([cuts.length, tracks.length], [2, 2]);
	const some = cuts.map((cut, index) => ({ ...cut, keep: index === 1 }));
	const shortest = Math.min(...tracks.map(({ seconds }) => 16_000 * seconds));
	// What stays at the end is no short sound in the longer track.
	const decided = besideShortSounds(some, shortest).slice(0, -1);
	await review.decide({ revision: 0, cuts: decided, approve: true });
	const zip = await unzipped((await finishedFile(await ann.ended(review.id))).file);
	assert.equal(changedCuts(fileNamed(zip, 'a-edited.wav'), talk, decided), 0);
	assert.equal(changedCuts(fileNamed(zip, 'b-edited.wav'), other, decided), 0);
});

await test('reads two minutes for a minute that is heard, and counts no cut twice', () => {
	const scale = { mode: 'cut', sampleRateHz: 1_000, samples: 1_000_000 } as const;
	const cut = { start: 2_000, end: 100_000 };
	const half = { start: 2_000, end: 50_000 };
	const [from, to] = [0, 110_000];
	assert.equal(readStretch({ from, to, cuts: [cut] }, scale).end, to);
	for (const [end, cuts, mode] of [
		[to, [], 'cut'],
		[to, [half, half], 'cut'],
		[121_000, [cut], 'cut'],
		[to, [cut], 'mute'],
	] as const)
		assert.throws(() => readStretch({ from, to: end, cuts }, { ...scale, mode }), /At most 60 s/);
});

await test('plays what was there and what will be', async () => {
	const files = [await ann.upload(talk)];
	const review = await reviewed(ann, { files, config: { ...config, normalize: true } });
	const { cuts, samples, gain_db: gainDb } = await review.state();
	const [{ start, end }] = cuts;
	const [from, to] = [start - 8_000, end + 8_000];
	const sound = async (body: object, track = '0') =>
		await send('POST', review.at(`/sound/${track}`), { body });
	const before = await sound({ from, to });
	assert.deepEqual([before.status, before.contentType], [200, 'audio/wav']);
	assert.equal(framesOf(before.bytes).length, to - from);
	const loudest = (wav: Buffer) =>
		framesOf(wav).reduce((most, frame) => Math.max(most, frame.readInt16LE(0)), 0);
	const source = loudest(talk) * 10 ** (gainDb / 20);
	assert.ok(Math.abs(loudest(before.bytes) / source - 1) < 0.3, `${gainDb} dB`);
	const shorter = { start: start + 240, end };
	const after = await sound({ from, to, cuts: [{ start: start - 80, end: start }, shorter] });
	assert.equal(framesOf(after.bytes).length, 16_160);
	const cutsOfOne = Array.from({ length: 1_001 }, () => ({ start: 1, end: 2 }));
	for (const wrong of [
		{},
		{ from: 9, to: 9 },
		{ from: 'NaN', to: 5 },
		{ from: samples, to: samples + 5 },
		{ from, to, cuts: cutsOfOne },
	]) {
		const { status, text } = await sound(wrong);
		assert.ok(status === 422 && text.length < 500, text);
	}
	assert.equal((await sound({ from, to }, '1')).status, 404);
	assert.equal((await sound({ from, to }, '..%2f1')).status, 404);
});

/** More minutes than one program unpacks, and a part of one. */
const SECONDS = 21.5 * 60;
const SAMPLE_RATE_HZ = 8_000;

await test('a sound of many files comes back bit by bit, each file in its place', async () => {
	await using folder = await temporaryFolder();
	const chance = new Chance(7);
	const samples = Float32Array.from({ length: SECONDS * SAMPLE_RATE_HZ }, () => chance.normal());
	const format = { sampleRateHz: SAMPLE_RATE_HZ, channels: 1, frames: samples.length };
	const sound = {
		...format,
		async *chunks(start: number, end: number) {
			yield await Promise.resolve(samples.subarray(start, end));
		},
	};
	await using work = await temporaryFolder();
	await packSound(sound, folder.path, 0);
	const folders = { folder: folder.path, workFolder: work.path };
	const unpacked = await unpackSound(format, 0, folders);
	const back = await readFrames(unpacked, 0, samples.length);
	assert.ok(Buffer.from(back.buffer).equals(Buffer.from(samples.buffer)));
});
