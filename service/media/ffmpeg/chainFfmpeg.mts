import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { bytesOf, type ProgramLimits } from './program.mts';
import { startFfmpeg } from './runFfmpeg.mts';

/**
 * Runs two ffmpegs, of which the second reads what the first writes to standard output. Yields the standard output of
 * the second; returns the beginning of what the first complains about. A consumer that stops early ends both.
 *
 * @throws MediaToolError when one of them fails or hangs, the signal's reason when aborted.
 */
export async function* chainFfmpeg(
	firstArgs: readonly string[],
	secondArgs: readonly string[],
	signal?: AbortSignal,
	limits?: Partial<ProgramLimits>,
): AsyncGenerator<Uint8Array, string> {
	const first = startFfmpeg(firstArgs, signal, limits);
	try {
		return yield* readBySecond(first, secondArgs, signal, limits);
	} finally {
		first.child.kill('SIGKILL');
		// What nobody read keeps it from its end.
		first.child.stdout.destroy();
		await Promise.allSettled([first.ended]);
	}
}

async function* readBySecond(
	first: ReturnType<typeof startFfmpeg>,
	secondArgs: readonly string[],
	signal?: AbortSignal,
	limits?: Partial<ProgramLimits>,
): AsyncGenerator<Uint8Array, string> {
	const second = startFfmpeg(secondArgs, signal, limits, 'pipe');
	const passed = { isWhole: false, failures: new Array<unknown>() };
	const read = bytesOf(first.child.stdout);
	const nextRead = async () => {
		try {
			return await read.next();
		} catch (cause) {
			passed.failures.push(cause);
			throw cause;
		}
	};
	const passing = async function* (): AsyncGenerator<Uint8Array> {
		// A broken pipe to the second is thrown at `yield`, and is no failure of the first.
		for (let piece = await nextRead(); !piece.done; piece = await nextRead()) {
			first.watchdog.hold();
			second.watchdog.alive();
			yield piece.value;
			first.watchdog.release();
		}
		passed.isWhole = true;
	};
	const stream = Readable.from(passing(), { highWaterMark: 1 });
	// The second breaks the pipe when it needs no more, or fails.
	if (second.child.stdin) pipeline(stream, second.child.stdin).catch(() => undefined);
	try {
		for await (const bytes of bytesOf(second.child.stdout)) {
			second.watchdog.hold();
			yield bytes;
			second.watchdog.release();
		}
		await second.ended;
		if (passed.failures.length > 0) throw passed.failures[0];
		return passed.isWhole ? await first.ended : '';
	} catch (error) {
		// What the first lacks is why the second fails. Killing a child makes reading fail with another error.
		if (passed.isWhole || passed.failures.length > 0) await first.ended;
		await second.ended;
		throw error;
	} finally {
		second.child.kill('SIGKILL');
		await Promise.allSettled([second.ended]);
	}
}
