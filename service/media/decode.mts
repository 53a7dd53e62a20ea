import { rm } from 'node:fs/promises';

import { isDamaged } from './damage.mts';
import { tooLong } from './lengthLimit.mts';
import { soundClock, type SoundClock } from './soundClock.mts';
import {
	hasHoles,
	KEEP_HOLES,
	timelineFilter,
	timesAsRead,
	type TimedSound,
} from './soundTimeline.mts';
import { openPcm, type PcmFile, type PcmFileFormat, type PcmFormat } from './pcmFile.mts';
import { fileArgument, guardedInput } from './ffmpeg/guardedInput.mts';
import { writeMono } from './monoFile.mts';
import { MediaToolError, OverTimeLimit } from './ffmpeg/program.mts';
import { chainFfmpeg } from './ffmpeg/chainFfmpeg.mts';
import { PROGRESS, streamFfmpeg } from './ffmpeg/runFfmpeg.mts';
import { UnusableInput, isShortage } from '../shared/failures.mts';

/** A file from a client, its format from `probe`, and its maximum length. */
export interface DecodeSource extends PcmFormat, TimedSound {
	path: string;
	limitSeconds: number;
	/** If set, the same ffmpeg run also writes a small copy there: ANALYSIS_FORMAT, all channels. */
	analysisPath?: string;
	/** Which of the file's sound tracks; default: the first. */
	soundTrack?: number;
}

/** A file with what the times of its packets say. */
interface TimedSource extends DecodeSource, SoundClock {}

async function timed(source: DecodeSource, signal?: AbortSignal): Promise<TimedSource> {
	return { ...source, ...(await soundClock(source, timeLimits(source), signal)) };
}

/** Seconds decoded beyond the limit, which shows whether the file is too long. */
const BEYOND_LIMIT_SECONDS = 1;

/** Format of the small copies that the detectors analyze. */
export const ANALYSIS_FORMAT = { sampleRateHz: 16_000, sampleFormat: 's16le' } as const;

/** The source as raw PCM, and its length at its own sample rate. */
export interface DecodedSource {
	pcm: PcmFile;
	/** Frames at the source's own sample rate; the output length is measured against this. */
	sourceFrames: number;
	/** Whether parts of the source were damaged and left out. */
	isDamaged: boolean;
}

/**
 * Decodes a sound track of a client's file to raw PCM on disk, without damaged sections.
 *
 * Checks the length while decoding, because a container may understate its length or omit it.
 *
 * @param outputPath where to write the PCM.
 * @param sampleRateHz the output rate: 48,000 for noise reduction.
 * @throws UnusableInput when nothing can be decoded or the file is too long, MediaToolError when
 * the disk is full, the signal's reason when aborted.
 */
export async function decode(
	file: DecodeSource,
	outputPath: string,
	sampleRateHz: number,
	signal?: AbortSignal,
): Promise<DecodedSource> {
	const source = await timed(file, signal);
	const { channels, analysisPath, limitSeconds } = source;
	const format = { channels, sampleRateHz };
	const args = fileOutput(source, format, outputPath);
	if (analysisPath !== undefined) {
		args.push(...fileOutput(source, { ...ANALYSIS_FORMAT, channels }, analysisPath));
	}
	let run: { complaints: string; sourceFrames?: number };
	try {
		run =
			sampleRateHz === source.sampleRateHz
				? { complaints: await decodeToFiles(source, args, signal) }
				: await decodeAndCount(source, args, signal);
	} catch (error) {
		if (error instanceof MediaToolError) await rm(outputPath, { force: true });
		throw decodingError(error);
	}
	const pcm = await openPcm(outputPath, format);
	if (pcm.frames === 0) throw new UnusableInput('The file contains no audio: its length is zero.');
	if (pcm.frames > limitSeconds * sampleRateHz) throw tooLong(limitSeconds, source);
	const sourceFrames = run.sourceFrames ?? pcm.frames;
	return { pcm, sourceFrames, isDamaged: await isDamaged(run.complaints, source) };
}

/** Converts an error of ffmpeg that the file causes. */
function decodingError(error: unknown): unknown {
	if (!(error instanceof MediaToolError) || isShortage(error)) return error;
	if (error instanceof OverTimeLimit) {
		return new UnusableInput(`Decoding the audio in the file was stopped: ${error.message}.`);
	}
	return new UnusableInput('The audio in the file cannot be decoded.');
}

/** Speech for a recognizer on disk, without a header: at the sample rate that it was trained on. */
export const SPEECH_FORMAT = { ...ANALYSIS_FORMAT, channels: 1 } as const;
export const SPEECH_RATE_HZ = SPEECH_FORMAT.sampleRateHz;

/**
 * Decodes a client's file for a speech recognizer: 16 kHz, mono, 16-bit, no header, on the file's
 * timeline. Returns its length in seconds.
 *
 * @throws UnusableInput when nothing can be decoded or the file is too long, MediaToolError when
 * the disk is full, the signal's reason when aborted.
 */
export async function decodeSpeech(
	file: DecodeSource,
	outputPath: string,
	signal?: AbortSignal,
): Promise<number> {
	const source = await timed(file, signal);
	try {
		if (source.channels > 1) await decodeMixed(source, outputPath, signal);
		else await decodeToFiles(source, fileOutput(source, SPEECH_FORMAT, outputPath), signal);
	} catch (error) {
		throw decodingError(error);
	}
	const { frames } = await openPcm(outputPath, SPEECH_FORMAT);
	const seconds = frames / SPEECH_RATE_HZ;
	if (seconds > source.limitSeconds) throw tooLong(source.limitSeconds, source);
	return seconds;
}

/** Decodes all channels for a recognizer, and mixes them on the way to the disk. */
async function decodeMixed(
	source: TimedSource,
	outputPath: string,
	signal?: AbortSignal,
): Promise<void> {
	const format = { ...ANALYSIS_FORMAT, channels: source.channels };
	const output = [...streamOptions(source, format), '-f', format.sampleFormat, 'pipe:1'];
	const maxFrames = maxFramesOf(source, format);
	await writeMono(runOf(source, output, signal), format, outputPath, maxFrames);
}

/**
 * Decodes, and returns the number of frames at the source's own rate. The resampled audio does not
 * reveal it (96 kHz becomes 48 kHz), so ffmpeg also writes one byte per frame to a pipe.
 */
async function decodeAndCount(source: TimedSource, args: readonly string[], signal?: AbortSignal) {
	const format = { channels: 1, sampleRateHz: source.sampleRateHz };
	const oneBytePerFrame = [...streamOptions(source, format), '-f', 'u8', 'pipe:1'];
	const maxFrames = maxFramesOf(source, format);
	const run = runOf(source, [...args, ...oneBytePerFrame], signal);
	let sourceFrames = 0;
	let piece = await run.next();
	// With timestamps that never advance, ffmpeg would not stop.
	for (; !piece.done && sourceFrames <= maxFrames; piece = await run.next()) {
		sourceFrames += piece.value.length;
	}
	if (!piece.done) await run.return('');
	return { sourceFrames, complaints: piece.done ? piece.value : '' };
}

/** What is decoded at most, whatever the timestamps say. */
function maxFramesOf({ limitSeconds }: DecodeSource, { sampleRateHz }: PcmFormat): number {
	return (limitSeconds + 2 * BEYOND_LIMIT_SECONDS) * sampleRateHz;
}

/**
 * Decoding is about 100 times faster than playback, so only a malicious file takes longer. While a video has no
 * sound, ffmpeg reads gigabytes of pictures without a sign of life.
 */
function timeLimits({ limitSeconds, hasVideo }: DecodeSource) {
	return { stallSeconds: hasVideo ? 600 : 60, totalSeconds: 60 + limitSeconds };
}

/** Decodes to the files of some outputs. Returns the beginning of ffmpeg's complaints. */
async function decodeToFiles(
	source: TimedSource,
	outputs: readonly string[],
	signal?: AbortSignal,
): Promise<string> {
	const run = runOf(source, [...PROGRESS, ...outputs], signal);
	let piece = await run.next();
	while (!piece.done) piece = await run.next();
	return piece.value;
}

/**
 * Runs ffmpeg on a source, and yields its standard output. Where sound changes its channels or rate, ffmpeg
 * begins its filters anew, and they forget where they were. So another one gives all of it one format first.
 */
function runOf(
	source: TimedSource,
	outputs: readonly string[],
	signal?: AbortSignal,
): AsyncGenerator<Uint8Array, string> {
	const { path, channels, sampleRateHz, keepsHoles } = source;
	const input = [...(keepsHoles ? KEEP_HOLES : []), ...guardedInput(path)];
	const limits = timeLimits(source);
	if (!isTimed(source)) return streamFfmpeg([...input, ...outputs], signal, limits);
	const format = [...trackOptions(source, { channels, sampleRateHz }), '-c:a', 'pcm_f32le'];
	// NUT keeps times, but none before 0.
	const filter = `${timesAsRead(source)}atrim=start=0`;
	const sound = [...format, '-af', filter, '-map_metadata', '-1', '-map_chapters', '-1'];
	const inOneFormat = [...input, ...sound, '-f', 'nut', 'pipe:1'];
	const again = ['-copyts', '-f', 'nut', '-i', 'pipe:0', ...outputs];
	return chainFfmpeg(inOneFormat, again, signal, limits);
}

/** Whether filters that begin anew would put silence in again, or leave it out. */
function isTimed(source: TimedSource): boolean {
	const { hasVideo = false, longHoles, leadSeconds = 0 } = source;
	return hasVideo || (hasHoles(source) && (longHoles.length > 0 || leadSeconds > 0));
}

function trackOptions({ soundTrack = 0 }: TimedSource, { channels, sampleRateHz }: PcmFormat) {
	return ['-map', `0:a:${soundTrack}`, '-ac', String(channels), '-ar', String(sampleRateHz)];
}

function streamOptions(source: TimedSource, { channels, sampleRateHz }: PcmFormat): string[] {
	const { limitSeconds } = source;
	const filter = timelineFilter(source, source.longHoles);
	const timeline = filter === undefined ? [] : ['-af', filter];
	// A track with times is the only one of what is read here.
	const track = isTimed(source) ? { ...source, soundTrack: 0 } : source;
	const format = trackOptions(track, { channels, sampleRateHz });
	return [...format, ...timeline, '-t', String(limitSeconds + BEYOND_LIMIT_SECONDS)];
}

/** Options for the file on disk. `-fs` also caps its size in bytes, whatever its timestamps say. */
function fileOutput(source: TimedSource, format: PcmFileFormat, path: string): string[] {
	const frames = Math.ceil(maxFramesOf(source, format));
	const bytes = frames * format.channels * Float32Array.BYTES_PER_ELEMENT;
	const { sampleFormat = 'f32le' } = format;
	const options = [...streamOptions(source, format), '-fs', String(bytes), '-f', sampleFormat];
	return [...options, fileArgument(path)];
}
