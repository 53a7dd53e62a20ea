import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { findFfmpeg } from './ffmpeg.mts';
import { fileArgument, GUARDS } from './guardedInput.mts';
import { bytesOf, MediaToolError, type ProgramLimits, startProgram } from './program.mts';
import { codeOf } from '../../shared/failures.mts';

/** ffmpeg opens a decoder for each track of a file, wanted or not, and needs up to 100 MB for a usual file. */
export const USUAL_MEMORY_BYTES = 335_544_320;

/**
 * Default limits: a program that makes progress may continue. Moving the index of a large MP4
 * to its front takes minutes without any sign of progress.
 */
const USUAL_LIMITS: ProgramLimits = {
	stallSeconds: 600,
	totalSeconds: Infinity,
	memoryBytes: USUAL_MEMORY_BYTES,
};

/**
 * Probing a file usually takes 0.1 s. A file that needs more than these 8 s is refused, so they count only
 * what ffprobe computes: on a busy machine, a good file waits longer than that.
 */
const PROBE_LIMITS: ProgramLimits = {
	...USUAL_LIMITS,
	cpuSeconds: 8,
	stallSeconds: 60,
	totalSeconds: 60,
};

/** The report on a file with a thousand streams is shorter. */
const MAX_REPORT_BYTES = 1_048_576;

/**
 * Runs ffmpeg until it ends; its output goes to files. Returns the beginning of its complaints.
 *
 * @throws MediaToolError when ffmpeg fails or hangs, the signal's reason when aborted. The process
 * has ended by then.
 */
export async function runFfmpeg(
	args: readonly string[],
	signal?: AbortSignal,
	limits?: Partial<ProgramLimits>,
): Promise<string> {
	const { child, ended, watchdog } = startFfmpeg([...PROGRESS, ...args], signal, limits);
	child.stdout.on('data', () => {
		watchdog.alive();
	});
	return await ended;
}

/**
 * Runs ffmpeg and yields its standard output; returns the beginning of its complaints. A slow consumer
 * slows ffmpeg down, so memory use stays constant. A consumer that stops early ends ffmpeg.
 *
 * @throws MediaToolError when ffmpeg fails or hangs, the signal's reason when aborted.
 */
export async function* streamFfmpeg(
	args: readonly string[],
	signal?: AbortSignal,
	limits?: Partial<ProgramLimits>,
): AsyncGenerator<Uint8Array, string> {
	const { child, ended, watchdog } = startFfmpeg(args, signal, limits);
	try {
		for await (const bytes of bytesOf(child.stdout)) {
			watchdog.hold();
			yield bytes;
			watchdog.release();
		}
		return await ended;
	} catch (error) {
		// Killing the child makes reading fail with another error; `ended` has the cause.
		await ended;
		throw error;
	} finally {
		child.kill('SIGKILL');
	}
}

/**
 * Runs ffmpeg until it ends and feeds its standard input at the pace it reads.
 *
 * @param input samples; reading stops when ffmpeg ends. Its errors are rethrown.
 * @throws MediaToolError when ffmpeg fails or hangs, the signal's reason when aborted.
 */
export async function feedFfmpeg(
	args: readonly string[],
	input: AsyncIterable<Float32Array>,
	signal?: AbortSignal,
	limits?: Partial<ProgramLimits>,
): Promise<void> {
	const { child, ended, watchdog } = startFfmpeg([...PROGRESS, ...args], signal, limits, 'pipe');
	child.stdout.on('data', () => {
		watchdog.alive();
	});
	const failures: unknown[] = [];
	const bytes = async function* (): AsyncGenerator<Uint8Array> {
		try {
			watchdog.hold();
			for await (const { buffer, byteOffset, byteLength } of input) {
				watchdog.release();
				yield new Uint8Array(buffer, byteOffset, byteLength);
				watchdog.hold();
			}
			watchdog.release();
		} catch (cause) {
			// With a broken pipe, ffmpeg has ended, and says why.
			if (!isBrokenPipe(cause)) failures.push(cause);
			throw cause;
		}
	};
	const stream = Readable.from(bytes(), { highWaterMark: 1 });
	// ffmpeg breaks the pipe when it needs no more input or fails; `ended` says which.
	if (child.stdin) await pipeline(stream, child.stdin).catch(() => undefined);
	if (failures.length > 0) {
		child.kill('SIGKILL');
		await ended.catch(() => undefined);
		signal?.throwIfAborted();
		throw failures[0];
	}
	await ended;
}

/** Whether an error of the input is that of the pipe which it feeds. */
function isBrokenPipe(error: unknown): boolean {
	return ['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes(codeOf(error));
}

/**
 * Returns ffprobe's report on a file as parsed JSON, limited to the requested entries. Everything a
 * file carries (tags, chapters, attachments) may be larger than memory.
 *
 * @param entries in the notation of `-show_entries`.
 * @param options further options of ffprobe.
 * @throws MediaToolError when ffprobe fails or hangs or its report is too long, the signal's reason
 * when aborted.
 */
export async function probeFile(
	path: string,
	entries: string,
	signal?: AbortSignal,
	options: readonly string[] = [],
): Promise<unknown> {
	const quiet = ['-v', 'error', '-hide_banner'];
	const args = [...quiet, ...GUARDS, ...options, '-of', 'json', '-show_entries', entries];
	const all = [...args, fileArgument(path)];
	const { child, ended } = startProgram(findFfmpeg().ffprobePath, all, signal, PROBE_LIMITS);
	const chunks: Uint8Array[] = [];
	let length = 0;
	try {
		for await (const chunk of bytesOf(child.stdout)) {
			length += chunk.length;
			if (length > MAX_REPORT_BYTES) throw new MediaToolError('The report is too long');
			chunks.push(chunk);
		}
	} catch (error) {
		child.kill('SIGKILL');
		throw error;
	}
	await ended;
	return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

/** Signs of life on standard output, when it carries nothing else. */
export const PROGRESS = ['-progress', 'pipe:1'];

/** Starts ffmpeg without questions and with its errors alone. */
export function startFfmpeg(
	args: readonly string[],
	signal?: AbortSignal,
	limits: Partial<ProgramLimits> = {},
	stdin: 'ignore' | 'pipe' = 'ignore',
) {
	const all = ['-nostdin', '-v', 'error', '-hide_banner', '-y', ...args];
	return startProgram(findFfmpeg().ffmpegPath, all, signal, { ...USUAL_LIMITS, ...limits }, stdin);
}
