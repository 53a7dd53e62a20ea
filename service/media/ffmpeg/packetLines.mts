import { guardedInput } from './guardedInput.mts';
import type { ProgramLimits } from './program.mts';
import { streamFfmpeg } from './runFfmpeg.mts';

/** A stream of a file, as `-map` names it, and options for how ffmpeg reads and lists it. */
export interface ListedStream {
	path: string;
	stream: string;
	inputOptions?: readonly string[];
	outputOptions?: readonly string[];
}

const TIME_BASE = /^#tb 0: (\d+)\/(\d+)$/;

/**
 * Lists the packets of a stream, without decoding them, as the lines of ffmpeg's framecrc: first its time base and
 * other headers, then for each packet its track, its times to decode and to play, its length, and more.
 *
 * @throws MediaToolError when the file cannot be read, the signal's reason when aborted.
 */
export async function* packetLines(
	{ path, stream, inputOptions = [], outputOptions = [] }: ListedStream,
	signal?: AbortSignal,
	limits?: Partial<ProgramLimits>,
): AsyncGenerator<string> {
	const list = ['-map', stream, '-c', 'copy', ...outputOptions, '-f', 'framecrc', 'pipe:1'];
	const args = [...inputOptions, ...guardedInput(path), ...list];
	let rest = '';
	for await (const piece of streamFfmpeg(args, signal, limits)) {
		const lines = (rest + Buffer.from(piece).toString('latin1')).split('\n');
		rest = lines.pop() ?? '';
		yield* lines;
	}
}

/** The seconds of a tick, if a line of `packetLines` says that. */
export function secondsPerTickIn(line: string): number | undefined {
	const base = TIME_BASE.exec(line);
	return base === null ? undefined : Number(base[1]) / Number(base[2]);
}
