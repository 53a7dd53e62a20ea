import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import { decode } from '../media/decode.mts';
import { encode } from '../media/encode.mts';
import { partsOf } from '../media/encodeParts.mts';
import { growingChunks } from '../media/growingPcm.mts';
import { CHUNK_FRAMES, type PcmFile, pcmSourceOf, readFrames } from '../media/pcmFile.mts';
import { mp3FrameStarts } from '../media/mp3Frames.mts';
import { type MediaInfo, probe } from '../media/probe.mts';
import { assertNear } from './support/assertNear.mts';
import { casesOf } from './support/casesOf.mts';
import { inTurn, music, noise, pcmOf, speech, together } from '../../testkit/service/signals.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';

await using folder = await temporaryFolder();

async function readWhileWritten(path: string, written: Promise<unknown>, signal?: AbortSignal) {
	const samples: number[] = [];
	const input = { path, channels: 2, sampleRateHz: 48_000 };
	for await (const chunk of growingChunks(input, written, signal)) {
		for (const sample of chunk) samples.push(sample);
	}
	return samples;
}

await test('reads a file to its end that is created late, and written in odd pieces', async () => {
	const path = join(folder.path, 'late.f32');
	const whole = Float32Array.from({ length: 5 * CHUNK_FRAMES }, (_, i) => i / 1e6);
	const bytes = Buffer.from(whole.buffer);
	const write = async () => {
		await setTimeout(30);
		for (let at = 0; at < bytes.length; at += 300_001) {
			await appendFile(path, bytes.subarray(at, at + 300_001));
			await setTimeout(3);
		}
	};
	const read = await readWhileWritten(path, write());
	assert.equal(read.length, whole.length);
	// Comparing with `deepEqual` would print a million samples.
	assert.ok(read.every((sample, i) => sample === whole[i]));
});

await test('leaves out a frame that was never completed, and ends if there is no file', async () => {
	const path = join(folder.path, 'broken.f32');
	await writeFile(path, Buffer.from(Float32Array.of(1, 2, 3).buffer));
	const failed = Promise.reject(new Error('decoding failed'));
	assert.deepEqual(await readWhileWritten(path, failed), [1, 2]);
	assert.deepEqual(await readWhileWritten(join(folder.path, 'none'), Promise.resolve()), []);
});

await test('stops when aborted, also while it waits for more', async () => {
	const path = join(folder.path, 'slow.f32');
	await writeFile(path, '');
	const stopping = new AbortController();
	const never = new Promise(() => undefined);
	const reading = readWhileWritten(path, never, stopping.signal);
	await setTimeout(20);
	stopping.abort();
	await assert.rejects(reading, { name: 'AbortError' });
});

const voice = await speech(60);

/** 95 s at 16 kHz. */
const SPEECH_AND_MUSIC = together(inTurn(voice, music(35)), noise(95 * 16_000, 0.001));

const WAV = {
	leadSeconds: 0,
	durationSeconds: null,
	codec: 'pcm_s16le',
	container: 'wav',
	hasVideo: false,
	bitsPerSample: 16,
	bitRate: null,
	soundTrack: 0,
	soundTracks: 1,
};

async function throughMp3(
	pcm: PcmFile,
	folder: string,
	outputRateHz: number,
	maxParts: number,
	source: Pick<MediaInfo, 'vbrLevel'>,
) {
	const outputPath = join(folder, 'out.mp3');
	const info = { ...WAV, ...source, sampleRateHz: outputRateHz, channels: pcm.channels };
	// Not a multiple of the MP3 frame size.
	const sourceRateFrames = Math.round((pcm.frames * outputRateHz) / pcm.sampleRateHz) - 777;
	const request = { audio: pcmSourceOf(pcm), info, format: 'mp3', outputPath } as const;
	await encode({ ...request, sourceRateFrames, maxParts });
	const bytes = await readFile(outputPath);
	const written = { ...(await probe(outputPath)), path: outputPath, limitSeconds: 600 };
	const { pcm: decoded } = await decode(written, join(folder, 'decoded'), outputRateHz);
	const samples = await readFrames(pcmSourceOf(decoded), 0, decoded.frames);
	await rm(outputPath);
	return { bytes, samples, frames: decoded.frames, sourceRateFrames };
}

/** Fails if the contents of an MP3, by which players find a place in time, are wrong. */
function assertContents(mp3: Buffer) {
	const starts = mp3FrameStarts(mp3);
	const frames = starts.length - 2;
	const at = Math.max(mp3.indexOf('Info', 0, 'latin1'), mp3.indexOf('Xing', 0, 'latin1'));
	for (const [percent, place] of mp3.subarray(at + 16, at + 116).entries()) {
		const wanted = (256 * (starts[1 + Math.floor((frames * percent) / 100)] ?? 0)) / mp3.length;
		assertNear(place, percent === 0 ? 0 : wanted, 2, `the place of ${percent} %`);
	}
}

for (const [inputRateHz, outputRateHz, channels, source] of casesOf<
	readonly [number, number, number, Pick<MediaInfo, 'vbrLevel'>]
>(
	[
		[16_000, 22_050, 1, {}],
		[8_000, 8_000, 2, {}],
		[16_000, 44_100, 2, { vbrLevel: 2 }],
	],
	[
		[16_000, 16_000, 1, {}],
		[16_000, 44_100, 1, {}],
		[48_000, 48_000, 1, {}],
		[16_000, 22_050, 1, { vbrLevel: 0 }],
	],
)) {
	const rate = source.vbrLevel === undefined ? 'constant' : 'variable';
	const what = `${channels} channels at ${inputRateHz} Hz, written at ${outputRateHz} Hz, ${rate} bit rate`;
	await test(`decodes an MP3 made in parts to the same samples as one made at once: ${what}`, async () => {
		await using temporary = await temporaryFolder();
		const folder = temporary.path;
		const format = { sampleRateHz: inputRateHz, channels };
		const pcm = await pcmOf(SPEECH_AND_MUSIC, join(folder, 'in'), format);
		const whole = await throughMp3(pcm, folder, outputRateHz, 1, source);
		const joined = await throughMp3(pcm, folder, outputRateHz, 3, source);
		assert.equal(joined.frames, joined.sourceRateFrames, 'the length is not exact');
		assert.equal(joined.bytes.length, whole.bytes.length);
		assert.deepEqual(joined.samples, whole.samples);
		assertContents(joined.bytes);
		assert.deepEqual(await readdir(folder), ['decoded', 'in']);
	});
}

await test('splits a recording at frame boundaries, into parts of a minimum length', () => {
	const rates = { rateHz: 44_100, inputRateHz: 48_000 };
	const whole = { ...rates, frames: 3_600 * 44_100, frameSamples: 1_152 };
	const parts = partsOf(whole, 4);
	assert.equal(parts.length, 4);
	for (const { start, from } of parts) {
		assert.equal((start - from) % 1_152, 0);
		assert.equal((from * 48_000) % 44_100, 0);
	}
	assert.equal(parts.at(-1)?.to, whole.frames);
	assert.equal(partsOf({ ...whole, frames: 59 * 44_100 }, 4).length, 1);
});

await test('stops all parts when one fails or on abort', async () => {
	const pcm = await pcmOf(SPEECH_AND_MUSIC, join(folder.path, 'in'));
	const source = pcmSourceOf(pcm);
	const broken = {
		...source,
		async *chunks(start: number, end: number) {
			if (start > 0) throw new Error('the disk is gone');
			yield* source.chunks(start, end);
		},
	};
	const request = {
		info: { ...WAV, sampleRateHz: 16_000, channels: 1 },
		outputPath: join(folder.path, 'out.mp3'),
		sourceRateFrames: pcm.frames,
		format: 'mp3' as const,
		maxParts: 2,
	};
	await assert.rejects(encode({ ...request, audio: broken }), /the disk is gone/);
	const aborted = AbortSignal.abort(new Error('stopped'));
	await assert.rejects(encode({ ...request, audio: source }, aborted), /stopped/);
});
