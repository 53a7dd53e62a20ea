import { writeFile } from 'node:fs/promises';

import { fileArgument } from '../../media/ffmpeg/guardedInput.mts';
import { streamFfmpeg } from '../../media/ffmpeg/runFfmpeg.mts';
import type { ClipPlan } from './clipPlaces.mts';
import type { KeptRecording } from './keptSchema.mts';
import { playedOf } from './stretch.mts';

/** What a phone plays everywhere, and a messenger shows as sound. */
const MP3 = ['-c:a', 'libmp3lame', '-b:a', '128k', '-f', 'mp3'];

const NEVER_SECONDS = 1_000_000;

/** Puts a kept file, or room for a new one, on this disk and returns its path. */
export interface ClipFiles {
	readonly keptPath: (name: string) => Promise<string>;
	readonly newPath: () => string;
}

/**
 * Returns a clip of a recording as an MP3 file, all tracks together, at the draft's loudness.
 *
 * @throws MediaToolError when ffmpeg fails, the signal's reason when aborted.
 */
export async function clipFile(
	kept: KeptRecording,
	plan: ClipPlan,
	{ keptPath, newPath }: ClipFiles,
	signal: AbortSignal,
): Promise<Buffer> {
	const inputs: string[] = [];
	for (const track of kept.tracks.keys()) {
		const path = newPath();
		await writeFile(path, await playedOf(kept, track, plan, keptPath, signal));
		// Only this service has written it.
		inputs.push('-protocol_whitelist', 'file', '-f', 'wav', '-i', fileArgument(path));
	}
	const count = kept.tracks.length;
	// The sum: ffmpeg 4 always divides it, and would begin to divide it by less when the shortest track ends.
	const mix = `amix=inputs=${count}:dropout_transition=${NEVER_SECONDS},volume=${count}`;
	const channels = Math.min(2, Math.max(...kept.tracks.map((track) => track.channels)));
	const args = [...inputs, '-filter_complex', mix, '-ac', String(channels), ...MP3, 'pipe:1'];
	const file: Uint8Array[] = [];
	for await (const part of streamFfmpeg(args, signal)) file.push(part);
	return Buffer.concat(file);
}
