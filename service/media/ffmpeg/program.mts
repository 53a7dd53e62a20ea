import { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import { execa } from 'execa';
import { z } from 'zod';

import { isDiskFull, isOutOfMemory } from '../../shared/failures.mts';
import { limitedProgram, type ResourceLimits } from './limitedProgram.mts';
import { Watchdog, type TimeLimits } from './watchdog.mts';

/** How long a program may run, and what it may use. */
export type ProgramLimits = TimeLimits & ResourceLimits;

/** Characters of stderr to keep; a damaged file makes a program complain throughout. */
const MAX_MESSAGE_CHARACTERS = 2_000;

/** Longer than any message about a full disk or memory. */
const LAST_WORDS_CHARACTERS = 40;

const NO_SPACE = 'No space left on device';
const NO_MEMORY = 'Cannot allocate memory';

/** Returns what a program says it lacks. */
function shortageIn(text: string): string | undefined {
	if (isDiskFull(text)) return NO_SPACE;
	return isOutOfMemory(text) ? NO_MEMORY : undefined;
}

/** ffmpeg or ffprobe failed; the message is what it printed. */
export class MediaToolError extends Error {
	override readonly name = 'MediaToolError';
}

/** What Node.js reports of each new child. */
const childSchema = z.object({ process: z.instanceof(ChildProcess) });

/**
 * Starts a program with execa. Without handles for a child's streams, execa fails because there are none
 * to go through, and hands out no child. Its error event would end this process if nobody listened.
 *
 * @throws Error that begins with EMFILE if there are no handles
 */
export function startGuarded<T>(start: () => T): T {
	const listen = (message: unknown) => {
		childSchema.parse(message).process.on('error', () => undefined);
	};
	subscribe('child_process', listen);
	try {
		return start();
	} catch (cause) {
		if (!(cause instanceof TypeError && cause.message.includes('is not iterable'))) throw cause;
		throw new Error('EMFILE: too many open files to start a program', { cause });
	} finally {
		unsubscribe('child_process', listen);
	}
}

/**
 * Starts a program. `ended` settles when the process has ended, and may be left unawaited. It resolves
 * to the beginning of what a successful program wrote to standard error.
 */
export function startProgram(
	program: string,
	args: readonly string[],
	signal: AbortSignal | undefined,
	limits: ProgramLimits,
	stdin: 'ignore' | 'pipe' = 'ignore',
) {
	signal?.throwIfAborted();
	const child = startGuarded(() =>
		execa(...limitedProgram(program, args, limits), {
			stdin,
			buffer: false,
			reject: false,
			// On SIGTERM ffmpeg would write its trailer first, which a stopped edit does not need.
			killSignal: 'SIGKILL',
			...(signal && { cancelSignal: signal }),
		}),
	);
	// Without a process, execa's kill would reach our whole process group.
	if (child.pid === undefined) child.kill = () => false;
	const watchdog = new Watchdog(limits, () => child.kill('SIGKILL'));
	let message = '';
	let lastWords = '';
	let shortage: string | undefined;
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		if (message.length < MAX_MESSAGE_CHARACTERS) message += text;
		// Checks all output, because these messages come last and may be split across chunks.
		shortage ??= shortageIn(lastWords + text);
		// Some versions would go on without what they could not allocate, or hang.
		if (shortage === NO_MEMORY) child.kill('SIGKILL');
		lastWords = (lastWords + text).slice(-LAST_WORDS_CHARACTERS);
	});
	const ended = child.then((result) => {
		watchdog.stop();
		signal?.throwIfAborted();
		if (watchdog.verdict !== undefined) throw new MediaToolError(watchdog.verdict);
		// Some versions exit with 0 although the last bytes could not be written.
		if (shortage !== undefined) throw new MediaToolError(shortage);
		const said = message.trim().slice(0, MAX_MESSAGE_CHARACTERS);
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
