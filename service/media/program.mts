import { execa } from 'execa';

import { isDiskFull } from '../shared/failures.mts';
import { Watchdog, type TimeLimits } from './watchdog.mts';

/** Kept of what a program says on stderr; a broken file makes it complain for as long as it lasts. */
const LONGEST_MESSAGE_CHARACTERS = 2_000;

/** Longer than what a program says about a full disk. */
const LAST_WORDS_CHARACTERS = 40;

/** ffmpeg or ffprobe ended badly; the message carries what it said. */
export class MediaToolError extends Error {
	override readonly name = 'MediaToolError';
}

/** Starts a program; `ended` settles when it is gone and is safe to leave unawaited. */
export function startProgram(
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
		// After a polite signal ffmpeg would write its trailer first; a stopped edit wants none.
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
export async function* bytesOf(stream: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
	for await (const chunk of stream) {
		if (chunk instanceof Uint8Array) yield chunk;
	}
}
