import { join } from 'node:path';

import type { EditConfig } from '../shared/contract.mts';
import { ANALYSIS_FORMAT, decode, decodeSpeech, type DecodedSource } from '../media/decode.mts';
import { longestSeconds, tooLong } from '../media/lengthLimit.mts';
import { openPcm, type PcmFile } from '../media/pcmFile.mts';
import { probe, type MediaInfo } from '../media/probe.mts';
import { reduceNoise } from './reduceNoise.mts';
import { reduceNoiseLegacy } from './reduceNoiseLegacy.mts';
import { RNNOISE_RATE_HZ } from './rnnoise.mts';

/** One file of a recording, still to be read. */
export interface TrackOrder {
	/** Already on disk. */
	sourcePath: string;
	config: Required<EditConfig>;
	/** A longer recording is refused; for two channels at 48 kHz, in seconds. */
	longestSourceSeconds: number;
	/** An empty folder for this track alone. */
	workFolder: string;
}

/** One file of a recording, read and without its noise: what is edited. */
export interface Track extends DecodedSource {
	info: MediaInfo;
	/** A small copy of the recording as it came, 16 kHz, 16 bits, all channels. */
	analysis: PcmFile;
	/** As long as `pcm` and in step with it; the same file when no noise reduction was asked for. */
	clean: PcmFile;
	workFolder: string;
}

/** What of a track edits are looked for in, and where files for that may be put. */
export type SearchedTrack = Pick<Track, 'pcm' | 'analysis' | 'clean' | 'workFolder'>;

/**
 * Reads and decodes a source and reduces its noise.
 *
 * @throws UnusableInput for a source that cannot be edited, MediaToolError when ffmpeg fails, the
 * signal's reason when aborted.
 */
export async function readTrack(order: TrackOrder, signal?: AbortSignal): Promise<Track> {
	const { sourcePath, workFolder, config } = order;
	const { info, timing } = await probeWithin(order.longestSourceSeconds, sourcePath, signal);
	const rateHz = usesRnnoise(config) ? RNNOISE_RATE_HZ : info.sampleRateHz;
	const analysisPath = join(workFolder, 'analysis-raw.s16');
	const source = { ...info, ...timing, path: sourcePath, analysisPath };
	const decoded = await decode(source, join(workFolder, 'decoded.f32'), rateHz, signal);
	const analysis = await openPcm(analysisPath, { ...ANALYSIS_FORMAT, channels: info.channels });
	const clean = await withoutNoise(decoded.pcm, order, signal);
	return { ...decoded, info, analysis, clean, workFolder };
}

/** A source that speech is to be recognised in. */
export interface SpeechOrder {
	/** Already on disk. */
	sourcePath: string;
	/** A longer recording is refused; for two channels at 48 kHz, in seconds. */
	longestSourceSeconds: number;
	/** Where the speech goes. */
	outputPath: string;
}

/**
 * Puts a source on disk as a recogniser takes it; returns its length in seconds.
 *
 * @throws UnusableInput for a source that cannot be edited, the signal's reason when aborted.
 */
export async function readSpeech(order: SpeechOrder, signal?: AbortSignal): Promise<number> {
	const { sourcePath, longestSourceSeconds, outputPath } = order;
	const { info, timing } = await probeWithin(longestSourceSeconds, sourcePath, signal);
	return await decodeSpeech({ ...info, ...timing, path: sourcePath }, outputPath, signal);
}

/** Looks at a source before anything reads it. @throws UnusableInput also when it says it is too long. */
async function probeWithin(longestSourceSeconds: number, sourcePath: string, signal?: AbortSignal) {
	const info = await probe(sourcePath, signal);
	const limitSeconds = longestSeconds(longestSourceSeconds, info);
	if ((info.durationSeconds ?? 0) > limitSeconds) throw tooLong(limitSeconds, info);
	return { info, timing: { limitSeconds, keepsTimeline: info.hasVideo } };
}

async function withoutNoise(
	input: PcmFile,
	{ config, workFolder }: TrackOrder,
	signal?: AbortSignal,
): Promise<PcmFile> {
	const outputPath = join(workFolder, 'denoised.f32');
	if (usesRnnoise(config)) return await reduceNoise(input, outputPath, signal);
	if (config.remove_noise === false) return input;
	return await reduceNoiseLegacy(input, outputPath, signal);
}

/** True when the current noise engine is at work; `studio_sound` is more than it and includes it. */
export function usesRnnoise({ remove_noise, studio_sound }: Required<EditConfig>): boolean {
	return remove_noise === true || remove_noise === 'v2' || studio_sound !== false;
}
