import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';
import { z } from 'zod';

import { findFfmpeg } from '../../service/media/ffmpeg/ffmpeg.mts';
import { temporaryFolder } from '../process/temporaryFolder.mts';

const reportSchema = z.object({
	streams: z.array(
		z.object({
			codec_type: z.string(),
			codec_name: z.string(),
			sample_rate: z.string().optional(),
			start_time: z.string().optional(),
			width: z.number().optional(),
			height: z.number().optional(),
			side_data_list: z.array(z.object({ rotation: z.number().optional() })).default([]),
		}),
	),
	format: z.object({ format_name: z.string() }),
});

/** Runs a measurement on a temporary file with the given bytes. */
export async function withFile<T>(bytes: Buffer, use: (path: string) => Promise<T>): Promise<T> {
	await using folder = await temporaryFolder();
	const path = join(folder.path, 'media');
	await writeFile(path, bytes);
	return await use(path);
}

/** Runs ffmpeg and returns its standard error. */
async function ffmpeg(...args: string[]): Promise<string> {
	const { stderr } = await execa(findFfmpeg().ffmpegPath, ['-hide_banner', '-nostdin', ...args]);
	return stderr;
}

/** Returns the container and the streams of a file, as reported by ffprobe. */
export async function streamsIn(bytes: Buffer) {
	return await withFile(bytes, async (path) => {
		const options = ['-v', 'error', '-of', 'json', '-show_format', '-show_streams', path];
		const { stdout } = await execa(findFfmpeg().ffprobePath, options);
		const { streams, format } = reportSchema.parse(JSON.parse(stdout));
		return { streams, container: format.format_name };
	});
}

export async function probe(bytes: Buffer) {
	const { streams, container } = await streamsIn(bytes);
	assert.equal(streams.length, 1);
	const [{ codec_name: codec, sample_rate: rate }] = streams;
	return { codec, container, rateHz: Number(rate) };
}

/** Measures the integrated loudness in LUFS with ffmpeg's EBU R128 meter. */
export async function loudnessLufs(bytes: Buffer): Promise<number> {
	return await withFile(bytes, async (path) => {
		const summary = await ffmpeg('-i', path, '-af', 'ebur128', '-f', 'null', '-');
		const readings = [...summary.matchAll(/^\s+I:\s+(-?[\d.]+) LUFS$/gm)];
		return Number(readings.at(-1)?.[1]);
	});
}

/** Measures the highest true peak in dBTP with the same meter. */
export async function truePeakDb(bytes: Buffer): Promise<number> {
	return await withFile(bytes, async (path) => {
		const summary = await ffmpeg('-i', path, '-af', 'ebur128=peak=true', '-f', 'null', '-');
		return Number(/^\s+Peak:\s+(-?[\d.]+) dBFS$/m.exec(summary)?.[1]);
	});
}

/** Decodes any media file to samples between -1 and 1, mono at 16 kHz. Every error is fatal. */
export async function samplesOf(bytes: Buffer): Promise<Float32Array> {
	return await withFile(bytes, async (path) => {
		const raw = `${path}.f32`;
		const strict = ['-v', 'error', '-xerror', '-err_detect', 'explode'];
		await ffmpeg(...strict, '-i', path, '-ac', '1', '-ar', '16000', '-f', 'f32le', raw);
		const data = await readFile(raw);
		return new Float32Array(data.buffer, data.byteOffset, data.length / 4).slice();
	});
}

/** Returns the length in seconds, counted from decoded samples. */
export async function decodedSeconds(bytes: Buffer): Promise<number> {
	return (await samplesOf(bytes)).length / 16_000;
}

/** Returns the RMS level of a stretch in dBFS; -Infinity for digital silence. */
export function levelDb(samples: Float32Array, startSeconds: number, endSeconds: number): number {
	const stretch = samples.subarray(startSeconds * 16_000, endSeconds * 16_000);
	assert.ok(stretch.length > 0, 'nothing to measure');
	const energy = stretch.reduce((sum, sample) => sum + sample * sample, 0);
	return 10 * Math.log10(energy / stretch.length);
}

/** Converts a file with ffmpeg and the given options to the container of the extension. */
export async function convertedTo(
	bytes: Buffer,
	extension: string,
	...options: string[]
): Promise<Buffer> {
	return await withFile(bytes, async (path) => {
		const output = `${path}.${extension}`;
		await ffmpeg('-v', 'error', '-i', path, ...options, output);
		return await readFile(output);
	});
}
