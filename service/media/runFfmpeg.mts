import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { execa } from 'execa';

import { isDiskFull } from '../shared/diskFull.mts';
import { findFfmpeg } from './ffmpeg.mts';
import { Watchdog, type TimeLimits } from './watchdog.mts';

/**
 * The containers the service reads. Others are refused: a playlist or a script dressed up as a
 * recording would make ffmpeg open further files or addresses.
 */
const CONTAINERS = [
	'wav,w64,mp3,ogg,flac,aiff,aac,caf,au,amr,ac3',
	'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,asf,mpegts,mpeg,flv',
].join(',');

/** 4096 × 4096: a picture of 8000 × 8000 in a file of 400 KB takes 300 MB to look at. */
const MOST_PIXELS = 16_777_216;

/** More than a decoder needs at a time, in bytes; a damaged header may ask for gigabytes. */
const LARGEST_ALLOCATION_BYTES = 268_435_456;

/** Options before `-i` for a file that is not our own work. */
const GUARDS = [
	...['-protocol_whitelist', 'file,pipe', '-format_whitelist', CONTAINERS],
	...['-max_pixels', String(MOST_PIXELS), '-max_alloc', String(LARGEST_ALLOCATION_BYTES)],
];

/**
 * What a tool may take when nobody says otherwise: a program that makes progress may go on. Moving
 * the index of a large MP4 to its front takes minutes and shows none.
 */
const USUAL_LIMITS: TimeLimits = { stallSeconds: 600, totalSeconds: Infinity };

/** Looking at a file takes a tenth of a second. */
const PROBE_LIMITS: TimeLimits = { stallSeconds: 8, totalSeconds: 8 };

/** A report on a file with a thousand streams is shorter. */
const LONGEST_REPORT_BYTES = 1_048_576;

/** Kept of what a program says on stderr; a broken file makes it complain for as long as it lasts. */
const LONGEST_MESSAGE_CHARACTERS = 2_000;

/** Longer than what a program says about a full disk. */
const LAST_WORDS_CHARACTERS = 40;

/** ffmpeg or ffprobe ended badly; the message carries what it said. */
export class MediaToolError extends Error {
	override readonly name = 'MediaToolError';
}

/** A path as ffmpeg takes it: never read as an option or as a protocol. */
export function fileArgument(path: string): string {
	return `file:${path}`;
}

/** ffmpeg's options to read a file that is not our own work: a client's, or one made of it. */
export function guardedInput(path: string): string[] {
	return [...GUARDS, '-i', fileArgument(path)];
}

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
		// Reading breaks off with an error of its own when the child is killed; the child's says why.
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
	const { child, ended } = start(ffprobePath, [...args, fileArgument(path)], signal, PROBE_LIMITS);
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
	return start(program, ffmpegArguments(args), signal, within, stdin);
}

function ffmpegArguments(args: readonly string[]): string[] {
	return ['-nostdin', '-v', 'error', '-hide_banner', '-y', ...args];
}

/** Starts a program; `ended` settles when it is gone and is safe to leave unawaited. */
function start(
	program: string,
	args: readonly string[],
	signal: AbortSignal | undefined,
	limits: TimeLimits,
	stdin: 'ignore' | 'pipe' = 'ignore',
) {
	signal?.throwIfAborted();
	const child = execa(program, args, {
		stdin,
		buffer: false,
		reject: false,
		// An ffmpeg that is told politely to end writes its trailer first; a stopped job wants none.
		killSignal: 'SIGKILL',
		...(signal && { cancelSignal: signal }),
	});
	const watchdog = new Watchdog(limits, () => child.kill('SIGKILL'));
	let message = '';
	let lastWords = '';
	let metFullDisk = false;
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		if (message.length < LONGEST_MESSAGE_CHARACTERS) message += text;
		// Looked for in all that is said: it comes last, and may come in two pieces.
		metFullDisk ||= isDiskFull(lastWords + text);
		lastWords = (lastWords + text).slice(-LAST_WORDS_CHARACTERS);
	});
	const ended = child.then((result) => {
		watchdog.stop();
		signal?.throwIfAborted();
		if (watchdog.verdict !== undefined) throw new MediaToolError(watchdog.verdict);
		// Some versions end well although the last bytes could not be written.
		if (metFullDisk) throw new MediaToolError('No space left on device');
		if (!result.failed) return;
		const said = message.trim().slice(0, LONGEST_MESSAGE_CHARACTERS);
		throw new MediaToolError(said || result.shortMessage);
	});
	ended.catch(() => undefined);
	return { child, ended, watchdog };
}

/** A pipe's chunks, typed: Node's streams yield `any`. */
async function* bytesOf(stream: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
	for await (const chunk of stream) {
		if (chunk instanceof Uint8Array) yield chunk;
	}
}
