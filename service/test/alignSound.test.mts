import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { alignSound } from '../engine/align/alignSound.mts';
import { findAnchors } from '../engine/align/anchors.mts';
import { BANDS, type BandLevels } from '../engine/align/bandLevels.mts';
import { decodeSpeech, SPEECH_FORMAT } from '../media/decode.mts';
import { fileArgument } from '../media/ffmpeg/guardedInput.mts';
import { runFfmpeg } from '../media/ffmpeg/runFfmpeg.mts';
import { openPcm, type PcmFile, PcmReader } from '../media/pcmFile.mts';
import { probe } from '../media/probe.mts';
import type { TimeRange } from '../shared/timeRanges.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';

await using folder = await temporaryFolder();
const RATE_HZ = SPEECH_FORMAT.sampleRateHz;
const SPOKEN = join(import.meta.dirname, '../../testkit/media/spoken.mp3');

async function speechIn(path: string, name: string): Promise<PcmFile> {
	const output = join(folder.path, name);
	await writeFile(output, '');
	await decodeSpeech({ ...(await probe(path)), path, limitSeconds: 600 }, output);
	return await openPcm(output, SPEECH_FORMAT);
}

const source = await speechIn(SPOKEN, 'source.raw');
const seconds = source.frames / RATE_HZ;

/** Cuts the recording, makes it softer, lowers its noise, and encodes it at another rate. */
async function editedFile(cuts: readonly TimeRange[]): Promise<PcmFile> {
	await using reader = await PcmReader.open(source);
	const samples = await reader.read(0, source.frames);
	const kept = samples.filter((_, frame) => {
		const at = frame / RATE_HZ;
		return !cuts.some(({ startSeconds, endSeconds }) => startSeconds <= at && at < endSeconds);
	});
	const raw = join(folder.path, 'kept.f32');
	await writeFile(raw, kept);
	const path = join(folder.path, 'edited.mp3');
	const input = ['-f', 'f32le', '-ar', String(RATE_HZ), '-ac', '1', '-i', fileArgument(raw)];
	const sound = ['-af', 'volume=-7dB,highpass=f=90,afftdn=nr=12', '-ar', '44100', '-b:a', '96k'];
	await runFfmpeg([...input, ...sound, fileArgument(path)]);
	return await speechIn(path, 'edited.raw');
}

const pathsOf = (whole: PcmFile, edited: PcmFile) => ({
	sourcePath: whole.path,
	editedPath: edited.path,
});

/** What lies between, before and after the shared stretches. */
async function cutsFound(edited: PcmFile): Promise<TimeRange[]> {
	const { stretches } = await alignSound(pathsOf(source, edited));
	const ends = [0, ...stretches.map((one) => one.sourceStart + one.seconds)];
	const starts = [...stretches.map(({ sourceStart }) => sourceStart), seconds];
	return ends
		.map((startSeconds, at) => ({ startSeconds, endSeconds: starts[at] }))
		.filter(({ startSeconds, endSeconds }) => endSeconds - startSeconds > 0.06);
}

await test('finds what was cut out of a recording that was changed otherwise, too', async () => {
	const cuts = [
		{ startSeconds: 0, endSeconds: 1.95 },
		{ startSeconds: 6.2, endSeconds: 6.6 },
		{ startSeconds: 7.4, endSeconds: 9.9 },
		{ startSeconds: 30.3, endSeconds: 50.1 },
		{ startSeconds: 66.5, endSeconds: seconds },
	];
	const found = await cutsFound(await editedFile(cuts));
	const text = JSON.stringify(found);
	for (const { startSeconds, endSeconds } of cuts) {
		const isFound = found.some((one) => {
			const isStart = Math.abs(one.startSeconds - startSeconds) < 0.1;
			return isStart && Math.abs(one.endSeconds - endSeconds) < 0.1;
		});
		assert.ok(isFound, `${startSeconds} to ${endSeconds}: ${text}`);
	}
	assert.equal(found.length, cuts.length, text);
});

await test('finds nothing where nothing was cut', async () => {
	assert.deepEqual(await cutsFound(await editedFile([])), []);
});

await test('says how little of another recording is in it', async () => {
	const path = join(folder.path, 'reversed.wav');
	await runFfmpeg(['-i', fileArgument(SPOKEN), '-af', 'areverse', fileArgument(path)]);
	const { share } = await alignSound(pathsOf(source, await speechIn(path, 'other.raw')));
	assert.ok(share < 0.3, String(share));
	await writeFile(join(folder.path, 'nothing.raw'), new Uint8Array(32));
	const nothing = await openPcm(join(folder.path, 'nothing.raw'), SPEECH_FORMAT);
	for (const request of [pathsOf(source, nothing), pathsOf(nothing, source)]) {
		assert.deepEqual((await alignSound(request)).stretches, []);
	}
});

await test('stops where nothing of the source is found, too', async () => {
	const other = (factor: number): BandLevels => {
		const hops = 6_000;
		const values = Float32Array.from({ length: hops * BANDS }, (_, i) => {
			return ((i * factor) % 65_537) / 1_000;
		});
		return { hops, levels: values };
	};
	const stopping = new AbortController();
	const found = findAnchors(other(48_271), other(16_807), stopping.signal);
	setImmediate(() => {
		stopping.abort(new Error('stopped'));
	});
	await assert.rejects(found, /stopped/);
});
