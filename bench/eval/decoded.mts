import { execa } from 'execa';

import { findFfmpeg } from '../../service/media/ffmpeg/ffmpeg.mts';
import { RATE_HZ } from './signals.mts';

/** Runs ffmpeg, perhaps with something to read. Returns what it writes to its standard output. */
export async function outputOf(args: readonly string[], input?: Buffer): Promise<Uint8Array> {
	const options = { encoding: 'buffer', maxBuffer: 2 ** 30, ...(input && { input }) } as const;
	const all = ['-v', 'error', ...args, 'pipe:1'];
	return (await execa(findFfmpeg().ffmpegPath, all, options)).stdout;
}

/** Decodes what ffmpeg's arguments name to 48 kHz, mono. */
export async function decoded(
	inputArguments: readonly string[],
	input?: Buffer,
): Promise<Float32Array> {
	const format = ['-ac', '1', '-ar', String(RATE_HZ), '-f', 'f32le'];
	return new Float32Array((await outputOf([...inputArguments, ...format], input)).slice().buffer);
}
