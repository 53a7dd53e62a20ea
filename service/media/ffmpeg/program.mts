import { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { parse } from 'node:path';

import { execa } from 'execa';
import { z } from 'zod';

import {
	isDiskFull,
	isOutOfMemory,
	ProgramCrashed,
	TransientTrouble,
} from '../../shared/failures.mts';
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
	override readonly name: string = 'MediaToolError';
}

/** A program needed more time than it may. The message says of what. */
export class OverTimeLimit extends MediaToolError {
	override readonly name = 'OverTimeLimit';
}

const CRASHES: ReadonlySet<string> = new Set([
	'SIGSEGV',
	'SIGABRT',
	'SIGILL',
	'SIGBUS',
	'SIGFPE',
	'SIGTRAP',
]);

/** How ffmpeg ends when it is asked to, by any signal that it can handle: without a word of error. */
const EXIT_ON_SIGNAL = 255;

/** What execa knows about the end of a program. */
interface ProgramEnd {
	readonly signal?: string;
	readonly exitCode?: number;
}

/**
 * Returns who ended a program, of which this service did not: itself by a crash, its limit of processor time, or
 * the machine, as when its memory is full; undefined for a program that failed by itself.
 *
 * @param said what it wrote to standard error.
 */
export function endedBySignal(
	name: string,
	{ signal, exitCode }: ProgramEnd,
	said: string,
	{ cpuSeconds }: Partial<ResourceLimits> = {},
): OverTimeLimit | ProgramCrashed | TransientTrouble | undefined {
	const isAsked = signal === undefined && exitCode === EXIT_ON_SIGNAL && said === '';
	if (signal === 'SIGXCPU' || (isAsked && cpuSeconds !== undefined)) {
		return new OverTimeLimit('it needs too much processor time');
	}
	if (signal !== undefined && CRASHES.has(signal)) {
		return new ProgramCrashed(`${name} crashed (${signal})`, { cause: said });
	}
	if (signal === undefined && !isAsked) return undefined;
	const how = signal === undefined ? '' : ` (${signal})`;
	return new TransientTrouble(
		`The machine ended ${name}${how}, as it does when its memory is full`,
	);
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
		if (watchdog.verdict !== undefined) throw new OverTimeLimit(watchdog.verdict);
		// Some versions exit with 0 although the last bytes could not be written.
		if (shortage !== undefined) throw new MediaToolError(shortage);
		const said = message.trim().slice(0, MAX_MESSAGE_CHARACTERS);
		if (!result.failed) return said;
		const trouble = endedBySignal(parse(program).name, result, said, limits);
		if (trouble !== undefined) throw trouble;
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
