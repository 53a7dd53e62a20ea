import { rm } from 'node:fs/promises';

import { tooLong } from './lengthLimit.mts';
import { openPcm, type PcmFile, type PcmFileFormat, type PcmFormat } from './pcmFile.mts';
import { fileArgument, guardedInput } from './guardedInput.mts';
import { MediaToolError } from './program.mts';
import { runFfmpeg, streamFfmpeg } from './runFfmpeg.mts';
import { UnusableInput, isDiskFull } from '../shared/failures.mts';

/** What is decoded: a client's file, its own format from `probe`, and how long it may be. */
export interface DecodeSource extends PcmFormat {
	path: string;
	limitSeconds: number;
	/** When given, the same pass writes a small copy there, in ANALYSIS_FORMAT with all channels. */
	analysisPath?: string;
	/**
	 * True where the sound has to stay in step with a picture: then it begins where the file's
	 * timeline begins, and a late start or a gap becomes silence.
	 */
	keepsTimeline?: boolean;
}

/** For a file that is known to be no trap: six weeks. */
const HARDLY_A_LIMIT_SECONDS = 3_600_000;

/** Seconds decoded beyond the limit, to see whether the file is longer than allowed. */
const BEYOND_LIMIT_SECONDS = 1;

/** The small copies that are listened to when edits are looked for. */
export const ANALYSIS_FORMAT = { sampleRateHz: 16_000, sampleFormat: 's16le' } as const;

/** The source as raw PCM, and how long it was at its own sample rate. */
export interface DecodedSource {
	pcm: PcmFile;
	/** Frames at the source's own sample rate: what "as long as the input" is measured by. */
	sourceFrames: number;
}

/**
 * Decodes the first audio stream of a client's file to raw PCM on disk. Damaged places are skipped.
 *
 * The length is watched here, too: a container may say less than it holds, or nothing.
 *
 * @param outputPath where the PCM goes.
 * @param sampleRateHz the rate wanted, 48,000 for noise reduction.
 * @throws UnusableInput when nothing can be decoded or it is too long, MediaToolError when the disk
 * is full, the signal's reason when aborted.
 */
export async function decode(
	{
		limitSeconds = HARDLY_A_LIMIT_SECONDS,
		...file
	}: Omit<DecodeSource, 'limitSeconds'> & Partial<DecodeSource>,
	outputPath: string,
	sampleRateHz: number,
	signal?: AbortSignal,
): Promise<DecodedSource> {
	const source: DecodeSource = { ...file, limitSeconds };
	const { channels, analysisPath } = source;
	const format = { channels, sampleRateHz };
	const args = [
		...[...guardedInput(source.path), ...fileOutput(source, format)],
		fileArgument(outputPath),
	];
	if (analysisPath !== undefined) {
		args.push(...fileOutput(source, { ...ANALYSIS_FORMAT, channels }), fileArgument(analysisPath));
	}
	let sourceFrames: number | undefined;
	try {
		if (sampleRateHz === source.sampleRateHz) await runFfmpeg(args, signal, timeLimits(source));
		else sourceFrames = await decodeAndCount(args, source, signal);
	} catch (error) {
		if (!(error instanceof MediaToolError)) throw error;
		await rm(outputPath, { force: true });
		if (isDiskFull(error)) throw error;
		throw new UnusableInput('The audio in the file cannot be decoded.');
	}
	const pcm = await openPcm(outputPath, format);
	if (pcm.frames === 0) throw new UnusableInput('The file holds no audio: its length is zero.');
	if (pcm.frames > limitSeconds * sampleRateHz) throw tooLong(limitSeconds, source);
	return { pcm, sourceFrames: sourceFrames ?? pcm.frames };
}

/** Recognisers are trained on speech at this rate. */
export const SPEECH_RATE_HZ = 16_000;

/**
 * Decodes a client's file to speech for a recogniser: 16 kHz, mono, 16-bit, without a header, on the
 * timeline of the file. Returns its length in seconds.
 *
 * @throws UnusableInput when nothing can be decoded or it is too long, MediaToolError when the disk
 * is full, the signal's reason when aborted.
 */
export async function decodeSpeech(
	source: DecodeSource,
	outputPath: string,
	signal?: AbortSignal,
): Promise<number> {
	const format = { sampleRateHz: SPEECH_RATE_HZ, channels: 1, sampleFormat: 's16le' } as const;
	const args = [...guardedInput(source.path), ...fileOutput(source, format)];
	try {
		await runFfmpeg([...args, fileArgument(outputPath)], signal, timeLimits(source));
	} catch (error) {
		if (!(error instanceof MediaToolError) || isDiskFull(error)) throw error;
		throw new UnusableInput('The audio in the file cannot be decoded.');
	}
	const { frames } = await openPcm(outputPath, format);
	const seconds = frames / SPEECH_RATE_HZ;
	if (seconds > source.limitSeconds) throw tooLong(source.limitSeconds, source);
	return seconds;
}

/**
 * Decodes and counts the frames at the source's own rate. The converted audio does not
 * show them (96 kHz becomes 48 kHz), so ffmpeg also sends one byte a frame down a pipe.
 */
async function decodeAndCount(
	args: readonly string[],
	source: DecodeSource,
	signal?: AbortSignal,
): Promise<number> {
	const { sampleRateHz, limitSeconds } = source;
	const format = { channels: 1, sampleRateHz };
	const oneByteAFrame = [...streamOptions(source, format), '-f', 'u8', 'pipe:1'];
	const mostFrames = (limitSeconds + 2 * BEYOND_LIMIT_SECONDS) * sampleRateHz;
	let frames = 0;
	for await (const bytes of streamFfmpeg([...args, ...oneByteAFrame], signal, timeLimits(source))) {
		frames += bytes.length;
		// Time stamps that stand still would let it go on for ever.
		if (frames > mostFrames) break;
	}
	return frames;
}

/** Decoding is a hundred times as fast as playing; a file that takes longer than its limit is a trap. */
function timeLimits({ limitSeconds }: DecodeSource) {
	return { stallSeconds: 60, totalSeconds: 60 + limitSeconds };
}

function streamOptions(
	{ limitSeconds, keepsTimeline = false }: DecodeSource,
	{ channels, sampleRateHz }: PcmFormat,
): string[] {
	const timeline = keepsTimeline ? ['-af', 'aresample=async=1:first_pts=0'] : [];
	const format = ['-map', '0:a:0', '-ac', String(channels), '-ar', String(sampleRateHz)];
	return [...format, ...timeline, '-t', String(limitSeconds + BEYOND_LIMIT_SECONDS)];
}

/** Options for the file on disk: its length is limited in bytes, too, whatever time stamps say. */
function fileOutput(source: DecodeSource, format: PcmFileFormat): string[] {
	const frames = Math.ceil((source.limitSeconds + 2 * BEYOND_LIMIT_SECONDS) * format.sampleRateHz);
	const bytes = frames * format.channels * Float32Array.BYTES_PER_ELEMENT;
	const { sampleFormat = 'f32le' } = format;
	return [...streamOptions(source, format), '-fs', String(bytes), '-f', sampleFormat];
}
