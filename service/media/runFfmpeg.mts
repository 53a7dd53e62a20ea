import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { findFfmpeg } from './ffmpeg.mts';
import { fileArgument, GUARDS } from './guardedInput.mts';
import { bytesOf, MediaToolError, startProgram } from './program.mts';
import type { TimeLimits, Watchdog } from './watchdog.mts';

/**
 * What a tool may take when nobody says otherwise: a program that makes progress may go on. Moving
 * the index of a large MP4 to its front takes minutes and shows none.
 */
const USUAL_LIMITS: TimeLimits = { stallSeconds: 600, totalSeconds: Infinity };

/** Looking at a file takes a tenth of a second. */
const PROBE_LIMITS: TimeLimits = { stallSeconds: 8, totalSeconds: 8 };

/** A report on a file with a thousand streams is shorter. */
const LONGEST_REPORT_BYTES = 1_048_576;

/**
 * Runs ffmpeg to its end, its output going to files.
 *
 * @throws MediaToolError when ffmpeg fails or hangs, the signal's reason when aborted; the child is
 * gone by then.
 */
export async function runFfmpeg(
	args: readonly string[],
	signal?: AbortSignal,
	limits?: Partial<TimeLimits>,
): Promise<void> {
	const { child, ended, watchdog } = startFfmpeg([...PROGRESS, ...args], signal, limits);
	child.stdout.on('data', () => {
		watchdog.alive();
	});
	await ended;
}

/**
 * Runs ffmpeg and hands over its standard output as it comes. A slow consumer slows ffmpeg down,
 * so that memory stays constant; one that stops early ends it.
 *
 * @throws MediaToolError when ffmpeg fails or hangs, the signal's reason when aborted.
 */
export async function* streamFfmpeg(
	args: readonly string[],
	signal?: AbortSignal,
	limits?: Partial<TimeLimits>,
): AsyncGenerator<Uint8Array> {
	const { child, ended, watchdog } = startFfmpeg(args, signal, limits);
	try {
		for await (const bytes of bytesOf(child.stdout)) {
			watchdog.hold();
			yield bytes;
			watchdog.release();
		}
		await ended;
	} catch (error) {
		// When the child is killed, reading ends with another error; the child's says why.
		await ended;
		throw error;
	} finally {
		child.kill('SIGKILL');
	}
}

/**
 * Runs ffmpeg to its end and feeds its standard input, no faster than it takes it.
 *
 * @param input samples as they lie in memory; not read on once ffmpeg has ended.
 * @throws MediaToolError when ffmpeg fails or hangs, the signal's reason when aborted, what `input`
 * throws.
 */
export async function feedFfmpeg(
	args: readonly string[],
	input: AsyncIterable<Float32Array>,
	signal?: AbortSignal,
): Promise<void> {
	const { child, ended, watchdog } = startFfmpeg([...PROGRESS, ...args], signal, {}, 'pipe');
	child.stdout.on('data', () => {
		watchdog.alive();
	});
	const feed = new Feed(input, watchdog);
	const stream = Readable.from(feed.bytes(), { highWaterMark: 1 });
	// An ffmpeg that has all it wants, or ends badly, breaks the pipe; how it ended tells which.
	if (child.stdin) await pipeline(stream, child.stdin).catch(() => undefined);
	if (feed.trouble) {
		child.kill('SIGKILL');
		await ended.catch(() => undefined);
		signal?.throwIfAborted();
		throw feed.trouble.cause;
	}
	await ended;
}

/** Samples on their way into a pipe. */
class Feed {
	/** What the samples' own making broke off with. */
	trouble: { cause: unknown } | undefined;

	constructor(
		private readonly samples: AsyncIterable<Float32Array>,
		private readonly watchdog: Watchdog,
	) {}

	async *bytes(): AsyncGenerator<Uint8Array> {
		try {
			this.watchdog.hold();
			for await (const { buffer, byteOffset, byteLength } of this.samples) {
				this.watchdog.release();
				yield new Uint8Array(buffer, byteOffset, byteLength);
				this.watchdog.hold();
			}
			this.watchdog.release();
		} catch (cause) {
			this.trouble = { cause };
			throw cause;
		}
	}
}

/**
 * What ffprobe says about a file, as JSON: only the entries that are asked for. All that a file
 * carries (tags, chapters, attachments) may be larger than memory.
 *
 * @param entries as `-show_entries` takes them.
 * @throws MediaToolError when ffprobe fails, hangs or says too much, the signal's reason when aborted.
 */
export async function probeFile(
	path: string,
	entries: string,
	signal?: AbortSignal,
): Promise<unknown> {
	const args = ['-v', 'error', '-hide_banner', ...GUARDS, '-of', 'json', '-show_entries', entries];
	const { ffprobePath } = findFfmpeg();
	const { child, ended } = startProgram(
		ffprobePath,
		[...args, fileArgument(path)],
		signal,
		PROBE_LIMITS,
	);
	const chunks: Uint8Array[] = [];
	let length = 0;
	try {
		for await (const chunk of bytesOf(child.stdout)) {
			length += chunk.length;
			if (length > LONGEST_REPORT_BYTES) throw new MediaToolError('The report is too long');
			chunks.push(chunk);
		}
	} finally {
		child.kill('SIGKILL');
	}
	await ended;
	return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

/** Signs of life on a standard output that carries nothing else. */
const PROGRESS = ['-progress', 'pipe:1'];

function startFfmpeg(
	args: readonly string[],
	signal?: AbortSignal,
	limits: Partial<TimeLimits> = {},
	stdin: 'ignore' | 'pipe' = 'ignore',
) {
	const program = findFfmpeg().ffmpegPath;
	const within = { ...USUAL_LIMITS, ...limits };
	return startProgram(program, ffmpegArguments(args), signal, within, stdin);
}

function ffmpegArguments(args: readonly string[]): string[] {
	return ['-nostdin', '-v', 'error', '-hide_banner', '-y', ...args];
}
