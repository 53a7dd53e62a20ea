import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { pcmSourceOf, type PcmFile, type PcmSource } from '../../media/pcmFile.mts';
import type { EditMode } from '../editedAudio.mts';
import type { TimelineEdit } from '../../shared/timeRanges.mts';

/** See `Waveform`. */
export const waveformSchema = z.object({
	durationSeconds: z.number().nonnegative(),
	/** Seconds per pair of peaks; the last pair may cover less. */
	secondsPerPeak: z.number(),
	/** Lowest and highest sample of each stretch, alternating, -1 to 1, over all channels. */
	peaks: z.array(z.number()),
});

/** What an editor must know of a file: its sound, and its picture if that is kept. */
export const mediaSchema = z.object({
	sampleRateHz: z.number(),
	channels: z.number(),
	picture: z
		.object({
			/** Frames per second in ffmpeg's notation: `30000/1001`. */
			frameRate: z.string(),
			width: z.number(),
			height: z.number(),
		})
		.nullable(),
});

/** See `mediaSchema`. */
export type Media = z.infer<typeof mediaSchema>;

/** The outline of a recording, for display. */
export type Waveform = z.infer<typeof waveformSchema>;

/** Content of `waveform.json`: each file of a recording, by the name from the client, before and after. */
export const waveformFileSchema = z.object({
	tracks: z.array(
		z.object({
			name: z.string(),
			media: mediaSchema.optional(),
			source: waveformSchema,
			edited: waveformSchema,
		}),
	),
});

/** An intro, outro or insert of a show, and where it is in the result. */
export const kitOnTimelineSchema = z.object({
	name: z.string(),
	media: mediaSchema,
	/** Its whole length. */
	seconds: z.number(),
	/** Before what of the edited recording, without any of them. */
	atSeconds: z.number(),
	/** By how much later is what follows. */
	addedSeconds: z.number(),
	/** Where it begins in the result. */
	startSeconds: z.number(),
	/** How much of it is heard together with what is before it and after it. */
	sharedBefore: z.number(),
	sharedAfter: z.number(),
});

/** See `kitOnTimelineSchema`. */
export type KitOnTimeline = z.infer<typeof kitOnTimelineSchema>;

/** Content of `edits.json`: the edits on the timeline of the source, and how they were applied. */
export const editsFileSchema = z.object({
	mode: z.enum(['cut', 'mute']),
	edits: z.array(z.object({ kind: z.string(), startSeconds: z.number(), endSeconds: z.number() })),
	kit: z.array(kitOnTimelineSchema).optional(),
});

/** Names in a result folder. The API has no link to them; only the page reads them. */
export const WAVEFORM_FILE_NAME = 'waveform.json';
export const EDITS_FILE_NAME = 'edits.json';

/** More than the width of a page. */
const MAX_PEAKS = 1_000;

/** Finer steps would be invisible; this keeps the file small. */
const PEAK_STEPS = 1_000;

/** Records the outline of audio while it is read, in any order and by several readers at once. */
export class WaveformMeter {
	private readonly source: PcmSource;
	private readonly framesPerPeak: number;
	private readonly lowest: Float32Array;
	private readonly highest: Float32Array;

	/** @param maxPeaks pairs of peaks for the whole recording. */
	constructor(source: PcmSource, maxPeaks = MAX_PEAKS) {
		this.source = source;
		this.framesPerPeak = Math.max(1, Math.ceil(source.frames / maxPeaks));
		const count = Math.ceil(source.frames / this.framesPerPeak);
		this.lowest = new Float32Array(count);
		this.highest = new Float32Array(count);
	}

	/** The same audio, outlined while it is read. */
	get metered(): PcmSource {
		const { source } = this;
		const push = this.push.bind(this);
		return {
			...source,
			async *chunks(startFrame, endFrame) {
				let frame = startFrame;
				for await (const samples of source.chunks(startFrame, endFrame)) {
					push(samples, frame);
					frame += samples.length / source.channels;
					yield samples;
				}
			},
		};
	}

	/** The outline of everything read so far. */
	waveform(): Waveform {
		const { sampleRateHz, frames } = this.source;
		const peaks = Array.from(this.lowest).flatMap((lowest, peak) => [
			rounded(lowest),
			rounded(this.highest[peak]),
		]);
		const secondsPerPeak = this.framesPerPeak / sampleRateHz;
		return { durationSeconds: frames / sampleRateHz, secondsPerPeak, peaks };
	}

	private push(samples: Float32Array, startFrame: number): void {
		const { channels } = this.source;
		let frame = startFrame;
		for (let offset = 0; offset < samples.length; ) {
			const peak = Math.floor(frame / this.framesPerPeak);
			const frames = (peak + 1) * this.framesPerPeak - frame;
			const end = Math.min(samples.length, offset + frames * channels);
			this.widen(peak, samples, offset, end);
			frame += frames;
			offset = end;
		}
	}

	private widen(peak: number, samples: Float32Array, start: number, end: number): void {
		let lowest = this.lowest[peak];
		let highest = this.highest[peak];
		for (let i = start; i < end; i++) {
			const sample = samples[i];
			if (sample < lowest) lowest = sample;
			else if (sample > highest) highest = sample;
		}
		this.lowest[peak] = lowest;
		this.highest[peak] = highest;
	}
}

/** Returns the outline of raw PCM on disk. @throws the signal's reason when aborted. */
export async function waveformOf(pcm: PcmFile, signal?: AbortSignal): Promise<Waveform> {
	const meter = new WaveformMeter(pcmSourceOf(pcm));
	const { metered } = meter;
	const chunks = metered.chunks(0, metered.frames)[Symbol.asyncIterator]();
	while ((await chunks.next()).done !== true) signal?.throwIfAborted();
	return meter.waveform();
}

/** Writes `waveform.json` and `edits.json` into a result folder. */
export async function writeWaveforms(
	resultFolder: string,
	waveforms: z.infer<typeof waveformFileSchema>,
	edits: { mode: EditMode; edits: readonly TimelineEdit[]; kit: readonly KitOnTimeline[] },
): Promise<void> {
	await writeFile(join(resultFolder, WAVEFORM_FILE_NAME), JSON.stringify(waveforms));
	await writeFile(join(resultFolder, EDITS_FILE_NAME), JSON.stringify(edits));
}

function rounded(sample: number): number {
	return Math.round(Math.max(-1, Math.min(1, sample)) * PEAK_STEPS) / PEAK_STEPS;
}
