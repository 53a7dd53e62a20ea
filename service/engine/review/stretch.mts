import { editedAudio } from '../editedAudio.mts';
import { factorOf } from '../signal/levels.mts';
import { joinedSamples } from '../../media/joinedSamples.mts';
import type { PcmFormat, PcmSource } from '../../media/pcmFile.mts';
import { rangesAtRate, sharedRanges } from '../sharedTimeline.mts';
import type { IndexRange } from '../../shared/timeRanges.mts';
import { wavHeader } from '../../media/wavHeader.mts';
import type { ClipPlan } from './clipPlaces.mts';
import type { KeptRecording } from './keptSchema.mts';
import { unpackStretch } from './keptSound.mts';

/** A few seconds of a recording, and what is cut there, in samples of its cuts. */
export interface Stretch extends IndexRange {
	cuts: readonly IndexRange[];
}

const FULL_SCALE = 32_767;

/**
 * Returns a stretch of a kept track as it will sound, as a WAV file of 16 bits at the draft's loudness.
 *
 * @param pathOf puts a kept file on this disk and returns its path.
 * @throws MediaToolError when ffmpeg fails, the signal's reason when aborted.
 */
export async function stretchOf(
	kept: KeptRecording,
	track: number,
	{ start, end, cuts }: Stretch,
	pathOf: (name: string) => Promise<string>,
	signal: AbortSignal,
): Promise<Buffer> {
	const inside = cuts.map((cut) => ({
		start: Math.max(0, cut.start - start),
		end: Math.max(0, Math.min(cut.end, end) - start),
	}));
	const plan = { stretches: [{ start, end }], cuts: inside };
	return await playedOf(kept, track, plan, pathOf, signal);
}

/** The same for stretches one after the other, with cuts that count from the start of the first. */
export async function playedOf(
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
		parts.push(await unpackStretch(kept.tracks[track], track, range, pathOf, signal));
	}
	const uncut = samplesSource(parts, { sampleRateHz, channels });
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
function samplesSource(parts: readonly Float32Array[], format: PcmFormat): PcmSource {
	const samples = parts.length === 1 ? parts[0] : joinedSamples(parts);
	const { channels } = format;
	return {
		...format,
		frames: samples.length / channels,
		async *chunks(startFrame, endFrame) {
			yield await Promise.resolve(samples.subarray(startFrame * channels, endFrame * channels));
		},
	};
}

/** Sound as a WAV file of 16 bits. What would be over full scale is held there. */
async function wavOf(sound: PcmSource, gain: number): Promise<Buffer> {
	const { channels, frames } = sound;
	const dataBytes = 2 * channels * frames;
	const header = wavHeader(sound, dataBytes);
	const file = Buffer.alloc(header.length + dataBytes);
	let place = header.copy(file);
	for await (const chunk of sound.chunks(0, frames)) {
		for (const sample of chunk) {
			const value = Math.max(-1, Math.min(1, sample * gain));
			place = file.writeInt16LE(Math.round(value * FULL_SCALE), place);
		}
	}
	return file;
}
