import assert from 'node:assert/strict';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { encode } from '../../../service/media/encode.mts';
import { decode } from '../../../service/media/decode.mts';
import { PcmReader, pcmSourceOf } from '../../../service/media/pcmFile.mts';
import { probe } from '../../../service/media/probe.mts';
import { inTurn, music, noise, pcmOf, speech, together } from './signals.mts';
import { temporaryFolder } from './temporaryFolder.mts';

const voice = await speech(60);

/** 95 s at 16 kHz. */
export const SPEECH_AND_MUSIC = together(inTurn(voice, music(35)), noise(95 * 16_000, 0.001));

/** The rates of a source and of its MP3, and their number of channels. */
export type Rates = readonly [inputHz: number, outputHz: number, channels: number];

/** Describes a test of an MP3 that is made in parts, at these rates. */
export async function testMp3Parts([inputRateHz, outputRateHz, channels]: Rates): Promise<void> {
	const what = `${channels} channels at ${inputRateHz} Hz, written at ${outputRateHz} Hz`;
	await test(`decodes an MP3 made in parts to the same samples as one made at once: ${what}`, async () => {
		await using temporary = await temporaryFolder();
		const folder = temporary.path;
		const format = { sampleRateHz: inputRateHz, channels };
		const pcm = await pcmOf(SPEECH_AND_MUSIC, join(folder, 'in'), format);
		const whole = await throughMp3(pcm, folder, outputRateHz, 1);
		const joined = await throughMp3(pcm, folder, outputRateHz, 3);
		assert.equal(joined.frames, joined.sourceRateFrames, 'the length is not exact');
		assert.equal(joined.bytes.length, whole.bytes.length);
		assert.deepEqual(joined.samples, whole.samples);
		assert.deepEqual(await readdir(folder), ['decoded', 'in']);
	});
}

/** Encodes a sound to an MP3 and decodes it. */
async function throughMp3(
	pcm: Awaited<ReturnType<typeof pcmOf>>,
	folder: string,
	outputRateHz: number,
	mostParts: number,
) {
	const outputPath = join(folder, 'out.mp3');
	const info = {
		...{ durationSeconds: null, sampleRateHz: outputRateHz, channels: pcm.channels },
		...{ codec: 'pcm_s16le' },
		...{ container: 'wav', hasVideo: false, bitsPerSample: 16, bitRate: null },
	};
	// Not a multiple of the MP3 frame size.
	const sourceRateFrames = Math.round((pcm.frames * outputRateHz) / pcm.sampleRateHz) - 777;
	const request = { audio: pcmSourceOf(pcm), info, format: 'mp3', outputPath } as const;
	await encode({ ...request, sourceRateFrames, mostParts });
	const bytes = await readFile(outputPath);
	const decoded = await decode(
		{ ...(await probe(outputPath)), path: outputPath, limitSeconds: 600 },
		join(folder, 'decoded'),
		outputRateHz,
	);
	await using reader = await PcmReader.open(decoded.pcm);
	const samples = await reader.read(0, decoded.pcm.frames);
	await rm(outputPath);
	return { bytes, samples, frames: decoded.pcm.frames, sourceRateFrames };
}
