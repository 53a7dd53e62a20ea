import { execa } from 'execa';

import { isDiskFull } from '../shared/failures.mts';
import { Watchdog, type TimeLimits } from './watchdog.mts';

/** Characters of stderr to keep; a damaged file makes a program complain throughout. */
const LONGEST_MESSAGE_CHARACTERS = 2_000;

/** Longer than any message about a full disk. */
const LAST_WORDS_CHARACTERS = 40;

/** ffmpeg or ffprobe failed; the message is what it printed. */
export class MediaToolError extends Error {
	override readonly name = 'MediaToolError';
}

/**
 * Starts a program. `ended` settles when the process has ended, and may be left unawaited. It resolves
 * to the beginning of what a successful program wrote to standard error.
 */
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
		// On SIGTERM ffmpeg would write its trailer first, which a stopped edit does not need.
		killSignal: 'SIGKILL',
		...(signal && { cancelSignal: signal }),
	});
	const watchdog = new Watchdog(limits, () => child.kill('SIGKILL'));
	let message = '';
	let lastWords = '';
	let metFullDisk = false;
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		if (message.length < LONGEST_MESSAGE_CHARACTERS) message += text;
		// Checks all output, because this message comes last and may be split across chunks.
		metFullDisk ||= isDiskFull(lastWords + text);
		lastWords = (lastWords + text).slice(-LAST_WORDS_CHARACTERS);
	});
	const ended = child.then((result) => {
		watchdog.stop();
		signal?.throwIfAborted();
		if (watchdog.verdict !== undefined) throw new MediaToolError(watchdog.verdict);
		// Some versions exit with 0 although the last bytes could not be written.
		if (metFullDisk) throw new MediaToolError('No space left on device');
		const said = message.trim().slice(0, LONGEST_MESSAGE_CHARACTERS);
		if (!result.failed) return said;
		throw new MediaToolError(said || result.shortMessage);
	});
	ended.catch(() => undefined);
	return { child, ended, watchdog };
}

/** Types a stream's chunks, since Node's streams yield `any`. */
export async function* bytesOf(stream: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
	for await (const chunk of stream) {
		if (chunk instanceof Uint8Array) yield chunk;
	}
}
