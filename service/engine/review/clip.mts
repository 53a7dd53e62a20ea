import { writeFile } from 'node:fs/promises';

import { editedAudio } from '../editedAudio.mts';
import { factorOf } from '../signal/levels.mts';
import { fileArgument } from '../../media/ffmpeg/guardedInput.mts';
import { streamFfmpeg } from '../../media/ffmpeg/runFfmpeg.mts';
import { readFrames, type PcmFormat, type PcmSource } from '../../media/pcmFile.mts';
import { rangesAtRate, sharedRanges } from '../sharedTimeline.mts';
import type { ClipPlan } from './clipPlaces.mts';
import type { KeptRecording } from './keptSchema.mts';
import { unpackStretch } from './keptSound.mts';
import { wavOf } from './stretch.mts';

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
		await writeFile(path, await clipOf(kept, track, plan, keptPath, signal));
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

/** Returns a clip of a kept track as a WAV file. */
async function clipOf(
	kept: KeptRecording,
	track: number,
	{ stretches, cuts }: ClipPlan,
	pathOf: (name: string) => Promise<string>,
	signal: AbortSignal,
): Promise<Buffer> {
	const { sampleRateHz, channels, frames, gainDb } = kept.tracks[track];
	const parts: Float32Array[] = [];
	for (const { start, end } of stretches) {
		const [from, to] = [start, end].map((sample) =>
			Math.min(frames, Math.round((sample / kept.sampleRateHz) * sampleRateHz)),
		);
		const range = { start: from, end: to };
		const part = await unpackStretch(kept.tracks[track], track, range, pathOf, signal);
		parts.push(await readFrames(part, 0, part.frames));
	}
	const uncut = pcmOf(parts, { sampleRateHz, channels });
	const ranges = cuts.map(({ start, end }) => ({
		startSeconds: start / kept.sampleRateHz,
		endSeconds: end / kept.sampleRateHz,
	}));
	const own = rangesAtRate(sharedRanges(ranges, true), sampleRateHz, uncut.frames);
	return await wavOf(
		editedAudio(uncut, own, { mode: kept.mode, isExact: true, fadeSeconds: kept.fadeSeconds }),
		factorOf(gainDb),
	);
}

/** Samples in memory, one part after the other, as a source. */
function pcmOf(parts: readonly Float32Array[], format: PcmFormat): PcmSource {
	const samples = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
	let place = 0;
	for (const part of parts) {
		samples.set(part, place);
		place += part.length;
	}
	const { channels } = format;
	return {
		...format,
		frames: samples.length / channels,
		async *chunks(startFrame, endFrame) {
			yield await Promise.resolve(samples.subarray(startFrame * channels, endFrame * channels));
		},
	};
}
