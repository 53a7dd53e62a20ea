import assert from 'node:assert/strict';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { encode } from '../../service/media/encode.mts';
import { partsOf } from '../../service/media/encodeParts.mts';
import { decode } from '../../service/media/decode.mts';
import { PcmReader, pcmSourceOf } from '../../service/media/pcmFile.mts';
import { probe } from '../../service/media/probe.mts';
import { inTurn, music, noise, pcmOf, speech, together } from './support/signals.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';

await using temporary = await temporaryFolder();
const folder = temporary.path;

const voice = await speech(60);
const sound = together(inTurn(voice, music(35)), noise(95 * 16_000, 0.001));

/** Encodes the sound, declared with the given rate and channels, to an MP3 and decodes it. */
async function throughMp3(
	inputRateHz: number,
	outputRateHz: number,
	channels: number,
	mostParts: number,
) {
	const format = { sampleRateHz: inputRateHz, channels };
	const pcm = await pcmOf(sound, join(folder, 'in'), format);
	const outputPath = join(folder, 'out.mp3');
	const info = {
		...{ durationSeconds: null, sampleRateHz: outputRateHz, channels, codec: 'pcm_s16le' },
		...{ container: 'wav', hasVideo: false, bitsPerSample: 16, bitRate: null },
	};
	// Not a multiple of the MP3 frame size.
	const sourceRateFrames = Math.round((pcm.frames * outputRateHz) / inputRateHz) - 777;
	const request = { audio: pcmSourceOf(pcm), info, format: 'mp3', outputPath } as const;
	await encode({ ...request, sourceRateFrames, mostParts });
	const bytes = await readFile(outputPath);
	const decoded = await decode(
		{ ...(await probe(outputPath)), path: outputPath },
		join(folder, 'decoded'),
		outputRateHz,
	);
	await using reader = await PcmReader.open(decoded.pcm);
	const samples = await reader.read(0, decoded.pcm.frames);
	await rm(outputPath);
	return { bytes, samples, frames: decoded.pcm.frames, sourceRateFrames };
}

for (const [inputRateHz, outputRateHz, channels] of [
	[16_000, 16_000, 1],
	[8_000, 8_000, 2],
	[16_000, 22_050, 1],
	[16_000, 44_100, 1],
	[48_000, 48_000, 1],
] as const) {
	const what = `${channels} channels at ${inputRateHz} Hz, written at ${outputRateHz} Hz`;
	await test(`decodes an MP3 made in parts to the same samples as one made at once: ${what}`, async () => {
		const whole = await throughMp3(inputRateHz, outputRateHz, channels, 1);
		const joined = await throughMp3(inputRateHz, outputRateHz, channels, 3);
		assert.equal(joined.frames, joined.sourceRateFrames, 'the length is not exact');
		assert.equal(joined.bytes.length, whole.bytes.length);
		assert.deepEqual(joined.samples, whole.samples);
		assert.deepEqual(await readdir(folder), ['decoded', 'in']);
	});
}

await test('splits a recording at frame boundaries, into parts of a minimum length', () => {
	const whole = {
		frames: 3_600 * 44_100,
		rateHz: 44_100,
		inputRateHz: 48_000,
		frameSamples: 1_152,
	};
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
	const pcm = await pcmOf(sound, join(folder, 'in'));
	const source = pcmSourceOf(pcm);
	const broken = {
		...source,
		async *chunks(start: number, end: number) {
			if (start > 0) throw new Error('the disk is gone');
			yield* source.chunks(start, end);
		},
	};
	const info = {
		...{ durationSeconds: null, sampleRateHz: 16_000, channels: 1, codec: 'pcm_s16le' },
		...{ container: 'wav', hasVideo: false, bitsPerSample: 16, bitRate: null },
	};
	const request = {
		info,
		format: 'mp3',
		outputPath: join(folder, 'out.mp3'),
		mostParts: 2,
	} as const;
	const lengths = { sourceRateFrames: pcm.frames };
	await assert.rejects(encode({ ...request, ...lengths, audio: broken }), /the disk is gone/);
	const aborted = AbortSignal.abort(new Error('stopped'));
	await assert.rejects(encode({ ...request, ...lengths, audio: source }, aborted), /stopped/);
});
