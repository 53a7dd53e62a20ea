import { rm } from 'node:fs/promises';

import { UnusableInput } from '../engine/types.mts';
import { openPcm, type PcmFile, type PcmFormat } from './pcmFile.mts';
import { fileArgument, MediaToolError, runFfmpeg, streamFfmpeg, UNTRUSTED_INPUT } from './run.mts';

/** The source as raw PCM, and how long it was at its own sample rate. */
export interface DecodedSource {
	pcm: PcmFile;
	/** Frames at the source's own sample rate: what "as long as the input" is measured by. */
	sourceFrames: number;
}

/**
 * Decodes the first audio stream of a client's file to raw PCM on disk. Damaged places are skipped.
 *
 * @param source the file and its own format, from `probe`.
 * @param outputPath where the PCM goes.
 * @param sampleRateHz the rate wanted, 48,000 for noise reduction.
 * @throws UnusableInput when nothing can be decoded, the signal's reason when aborted.
 */
export async function decode(
	source: PcmFormat & { path: string },
	outputPath: string,
	sampleRateHz: number,
	signal?: AbortSignal,
): Promise<DecodedSource> {
	const { channels } = source;
	const format = { channels, sampleRateHz };
	const toFile = [...streamOptions(format), '-f', 'f32le', fileArgument(outputPath)];
	const input = [...UNTRUSTED_INPUT, '-i', fileArgument(source.path)];
	let sourceFrames: number | undefined;
	try {
		if (sampleRateHz === source.sampleRateHz) await runFfmpeg([...input, ...toFile], signal);
		else sourceFrames = await decodeAndCount([...input, ...toFile], source.sampleRateHz, signal);
	} catch (error) {
		if (!(error instanceof MediaToolError)) throw error;
		await rm(outputPath, { force: true });
		throw new UnusableInput('The audio in the file cannot be decoded.');
	}
	const pcm = await openPcm(outputPath, format);
	if (pcm.frames === 0) throw new UnusableInput('The file holds no audio: its length is zero.');
	return { pcm, sourceFrames: sourceFrames ?? pcm.frames };
}

/**
 * Decodes and counts the frames at the source's own rate. They cannot be told from the converted
 * audio (96 kHz becomes 48 kHz), so ffmpeg also sends one byte a frame down a pipe.
 */
async function decodeAndCount(
	args: readonly string[],
	sampleRateHz: number,
	signal?: AbortSignal,
): Promise<number> {
	const oneByteAFrame = [...streamOptions({ channels: 1, sampleRateHz }), '-f', 'u8', 'pipe:1'];
	let frames = 0;
	for await (const bytes of streamFfmpeg([...args, ...oneByteAFrame], signal)) {
		frames += bytes.length;
	}
	return frames;
}

function streamOptions({ channels, sampleRateHz }: PcmFormat): string[] {
	return ['-map', '0:a:0', '-ac', String(channels), '-ar', String(sampleRateHz)];
}
