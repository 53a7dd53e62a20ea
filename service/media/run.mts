import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { execa } from 'execa';

import { isDiskFull } from '../diskFull.mts';
import { findFfmpeg } from './ffmpeg.mts';

/**
 * The containers the service reads. Others are refused: a playlist or a script dressed up as a
 * recording would make ffmpeg open further files or addresses.
 */
const CONTAINERS = [
	'wav,w64,mp3,ogg,flac,aiff,aac,caf,au,amr,ac3',
	'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,asf,mpegts,mpeg,flv',
].join(',');

/** Options in front of `-i` for a file that came from a client. */
export const UNTRUSTED_INPUT = [
	'-protocol_whitelist',
	'file,pipe',
	'-format_whitelist',
	CONTAINERS,
];

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

/**
 * Runs ffmpeg to its end, its output going to files.
 *
 * @throws MediaToolError when ffmpeg fails, the signal's reason when aborted; the child is gone
 * by then.
 */
export async function runFfmpeg(args: readonly string[], signal?: AbortSignal): Promise<void> {
	const { child, ended } = start(findFfmpeg().ffmpegPath, ffmpegArguments(args), signal);
	child.stdout.resume();
	await ended;
}

/**
 * Runs ffmpeg and hands over its standard output as it comes. A slow consumer slows ffmpeg down,
 * so that memory stays constant; one that stops early ends it.
 *
 * @throws MediaToolError when ffmpeg fails, the signal's reason when aborted.
 */
export async function* streamFfmpeg(
	args: readonly string[],
	signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
	const { child, ended } = start(findFfmpeg().ffmpegPath, ffmpegArguments(args), signal);
	try {
		yield* bytesOf(child.stdout);
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
 * @throws MediaToolError when ffmpeg fails, the signal's reason when aborted, what `input` throws.
 */
export async function feedFfmpeg(
	args: readonly string[],
	input: AsyncIterable<Float32Array>,
	signal?: AbortSignal,
): Promise<void> {
	const { child, ended } = start(findFfmpeg().ffmpegPath, ffmpegArguments(args), signal, 'pipe');
	child.stdout.resume();
	const feed = new Feed(input);
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

	constructor(private readonly samples: AsyncIterable<Float32Array>) {}

	async *bytes(): AsyncGenerator<Uint8Array> {
		try {
			for await (const { buffer, byteOffset, byteLength } of this.samples) {
				yield new Uint8Array(buffer, byteOffset, byteLength);
			}
		} catch (cause) {
			this.trouble = { cause };
			throw cause;
		}
	}
}

/**
 * Runs ffprobe and returns what it prints (UTF-8).
 *
 * @throws MediaToolError when ffprobe fails, the signal's reason when aborted.
 */
export async function runFfprobe(args: readonly string[], signal?: AbortSignal): Promise<string> {
	const options = ['-v', 'error', '-hide_banner', ...args];
	const { child, ended } = start(findFfmpeg().ffprobePath, options, signal);
	const chunks: Uint8Array[] = [];
	for await (const chunk of bytesOf(child.stdout)) chunks.push(chunk);
	await ended;
	return Buffer.concat(chunks).toString('utf8');
}

function ffmpegArguments(args: readonly string[]): string[] {
	return ['-nostdin', '-v', 'error', '-hide_banner', '-y', ...args];
}

/** Starts a program; `ended` settles when it is gone and is safe to leave unawaited. */
function start(
	program: string,
	args: readonly string[],
	signal?: AbortSignal,
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
		signal?.throwIfAborted();
		// Some versions end well although the last bytes could not be written.
		if (metFullDisk) throw new MediaToolError('No space left on device');
		if (!result.failed) return;
		const said = message.trim().slice(0, LONGEST_MESSAGE_CHARACTERS);
		throw new MediaToolError(said || result.shortMessage);
	});
	ended.catch(() => undefined);
	return { child, ended };
}

/** A pipe's chunks, typed: Node's streams yield `any`. */
async function* bytesOf(stream: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
	for await (const chunk of stream) {
		if (chunk instanceof Uint8Array) yield chunk;
	}
}
