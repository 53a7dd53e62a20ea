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
	}
}

async function* readBySecond(
	first: ReturnType<typeof startFfmpeg>,
	secondArgs: readonly string[],
	signal?: AbortSignal,
	limits?: Partial<ProgramLimits>,
): AsyncGenerator<Uint8Array, string> {
	const second = startFfmpeg(secondArgs, signal, limits, 'pipe');
	const passing = async function* (): AsyncGenerator<Uint8Array> {
		for await (const bytes of bytesOf(first.child.stdout)) {
			first.watchdog.hold();
			second.watchdog.alive();
			yield bytes;
			first.watchdog.release();
		}
	};
	// The second closes its input when it needs no more, or fails: then the first has to end.
	const { stdin } = second.child;
	const passed =
		stdin !== null &&
		pipeline(Readable.from(passing(), { highWaterMark: 1 }), stdin).then(
			() => true,
			() => false,
		);
	try {
		for await (const bytes of bytesOf(second.child.stdout)) {
			second.watchdog.hold();
			yield bytes;
			second.watchdog.release();
		}
		const complaints = (await passed) ? await first.ended : '';
		await second.ended;
		return complaints;
	} catch (error) {
		// What the first lacks is why the second fails. Killing a child makes reading fail with another error.
		if (await passed) await first.ended;
		await second.ended;
		throw error;
	} finally {
		second.child.kill('SIGKILL');
	}
}
