import { buffer } from 'node:stream/consumers';

import { execa } from 'execa';

import { findFfmpeg } from '../../service/media/ffmpeg/ffmpeg.mts';
import { streamFfmpeg } from '../../service/media/ffmpeg/runFfmpeg.mts';
import { RATE_HZ } from './signals.mts';

/**
 * Runs ffmpeg, perhaps with something to read. Returns what it writes to its standard output. A file may come from
 * a service that is judged, so it is read within the limits that ours has for one.
 */
export async function outputOf(args: readonly string[], input?: Buffer): Promise<Uint8Array> {
	const all = [...args, 'pipe:1'];
	if (!input) return await buffer(streamFfmpeg(all));
	const options = { encoding: 'buffer', maxBuffer: 2 ** 30, input } as const;
	return (await execa(findFfmpeg().ffmpegPath, ['-v', 'error', ...all], options)).stdout;
}

/** Decodes what ffmpeg's arguments name to 48 kHz, mono. */
export async function decoded(
	inputArguments: readonly string[],
	input?: Buffer,
): Promise<Float32Array> {
	const format = ['-ac', '1', '-ar', String(RATE_HZ), '-f', 'f32le'];
	const bytes = await outputOf([...inputArguments, ...format], input);
	return new Float32Array(new Uint8Array(bytes).buffer);
}
