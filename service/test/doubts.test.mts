import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { doubtsOf } from '../engine/review/doubt/doubts.mts';
import { decodeSpeech, SPEECH_FORMAT } from '../media/decode.mts';
import { openPcm } from '../media/pcmFile.mts';
import { probe } from '../media/probe.mts';
import type { Cut } from '../shared/cuts.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';

const RATE_HZ = 16_000;
/** Where words are said in the recording after its first pause. */
const WORDS_SECONDS = [23.7, 37.5, 51.3, 24.1, 37.9];
const RECORDING = join(import.meta.dirname, '../../testkit/media/spoken.mp3');

await using folder = await temporaryFolder();

/** A person who speaks between two seconds of a quiet room each. */
async function spokenBetweenPauses() {
	const rawPath = join(folder.path, 'spoken.raw');
	await decodeSpeech({ ...(await probe(RECORDING)), path: RECORDING, limitSeconds: 600 }, rawPath);
	const bytes = await readFile(rawPath);
	const room = (frames: number) =>
		Buffer.from(Int16Array.from({ length: frames }, (_, at) => ((at * 7_919) % 13) - 6).buffer);
	const pause = room(2 * RATE_HZ);
	const write = async (name: string, content: Buffer) => {
		const path = join(folder.path, name);
		await writeFile(path, content);
		return await openPcm(path, { ...SPEECH_FORMAT, channels: 1 });
	};
	const pcm = await write('talk.s16', Buffer.concat([pause, bytes, pause]));
	const silent = await write('silent.s16', room(pcm.frames));
	return { pcm, silent };
}

function cutAt(kind: Cut['kind'], startSeconds: number, endSeconds: number): Cut {
	const [start, end] = [startSeconds, endSeconds].map((seconds) => Math.round(seconds * RATE_HZ));
	return { kind, track: null, start, end, sure: 0.9, by: 'engine', keep: false };
}

await test('doubts a cut of any kind that takes a word, on one track and on several', async () => {
	const { pcm, silent } = await spokenBetweenPauses();
	const right = [cutAt('long_silence', 0.2, 1.8), cutAt('mouth_sound', 1.85, 1.88)];
	const kinds = ['long_silence', 'breath', 'filler', 'hesitation', 'stutter'] as const;
	const wrong = kinds.map((kind, at) => cutAt(kind, WORDS_SECONDS[at], WORDS_SECONDS[at] + 0.4));
	const moved = { ...cutAt('added', 3, 3.1), sure: null, by: 'Ann' };
	const cuts = [...right, ...wrong, moved];
	for (const recordings of [[pcm], [silent, pcm], [pcm, silent]]) {
		const doubts = await doubtsOf(cuts, { sampleRateHz: RATE_HZ }, recordings);
		assert.deepEqual(
			doubts.slice(0, 2).map(({ doubt, reason }) => [doubt, reason]),
			[
				[0.05, 'near_limit'],
				[0.05, 'near_limit'],
			],
		);
		assert.equal(doubts.length, cuts.length - 1, 'what a person cut is not doubted');
		for (const [at, { doubt, reason }] of doubts.slice(2).entries()) {
			assert.ok(doubt > 0.7, `${kinds[at]}: ${doubt}`);
			assert.equal(reason, ['speech', 'speech', 'changes', 'changes', 'not_repeated'][at]);
		}
	}
	const alone = await doubtsOf(wrong, { sampleRateHz: RATE_HZ }, [silent]);
	assert.ok(
		alone.every(({ reason }) => reason === 'near_limit'),
		'nobody speaks there',
	);
});

await test('doubts cuts after the end of a shorter track, and one that reaches over it', async () => {
	const { pcm } = await spokenBetweenPauses();
	const short = { ...pcm, frames: 24 * RATE_HZ };
	const kinds = [
		'long_silence',
		'breath',
		'filler',
		'hesitation',
		'stutter',
		'mouth_sound',
	] as const;
	for (const startSeconds of [23.7, 23.95, 24, 37.5]) {
		const cuts = kinds.map((kind, at) => {
			return cutAt(kind, startSeconds + at / 100, startSeconds + at / 100 + 0.4);
		});
		for (const recordings of [[short], [short, pcm], [pcm, short]]) {
			const doubts = await doubtsOf(cuts, { sampleRateHz: RATE_HZ }, recordings);
			assert.ok(doubts.every(({ doubt }) => doubt >= 0 && doubt <= 1));
			const isHeard = recordings.length > 1 && startSeconds === 37.5;
			if (isHeard) assert.ok(doubts[0].doubt > 0.7, 'the word on the longer track');
		}
	}
});
