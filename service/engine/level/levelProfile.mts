import type { PcmFormat, PcmSource } from '../../media/pcmFile.mts';
import { channelWeight, KWeighting } from './kWeighting.mts';

/** A profile has a value every 10 ms. */
export const PROFILE_HOPS_PER_SECOND = 100;

/** How loud and how high a recording is, hop by hop: 3 MB an hour. */
export interface LevelProfile {
	/** Mean square over a hop, weighted as ITU-R BS.1770 has it, summed over the channels. */
	energies: Float32Array;
	/** The highest absolute sample of any channel in a hop, full scale 1. */
	peaks: Float32Array;
}

/** Frames a hop has at a sample rate. */
export function hopFrames(sampleRateHz: number): number {
	return Math.round(sampleRateHz / PROFILE_HOPS_PER_SECOND);
}

/**
 * Measures a recording while it is read once.
 *
 * @throws the signal's reason when aborted.
 */
export async function profileOf(source: PcmSource, signal?: AbortSignal): Promise<LevelProfile> {
	const meter = new LevelMeter(source, source.frames);
	for await (const chunk of source.chunks(0, source.frames)) {
		signal?.throwIfAborted();
		meter.take(chunk);
	}
	return meter.profile;
}

/** Takes a recording in chunks and writes down its levels. */
class LevelMeter {
	readonly profile: LevelProfile;
	private readonly channels: number;
	private readonly hopFrames: number;
	private readonly weightings: readonly KWeighting[];
	private frame = 0;

	constructor({ sampleRateHz, channels }: PcmFormat, frames: number) {
		this.channels = channels;
		this.hopFrames = hopFrames(sampleRateHz);
		const hops = Math.ceil(frames / this.hopFrames);
		this.profile = { energies: new Float32Array(hops), peaks: new Float32Array(hops) };
		this.weightings = Array.from({ length: channels }, () => new KWeighting(sampleRateHz));
	}

	take(chunk: Float32Array): void {
		const frames = chunk.length / this.channels;
		for (let start = 0; start < frames; ) {
			const left = this.hopFrames - (this.frame % this.hopFrames);
			const end = Math.min(frames, start + left);
			this.takePart(chunk, start * this.channels, end * this.channels);
			this.frame += end - start;
			start = end;
		}
	}

	private takePart(chunk: Float32Array, start: number, end: number): void {
		const hop = Math.floor(this.frame / this.hopFrames);
		const { energies, peaks } = this.profile;
		this.weightings.forEach((weighting, channel) => {
			const energy = weighting.energyOf(chunk, start + channel, end, this.channels);
			energies[hop] += (energy * channelWeight(channel, this.channels)) / this.hopFrames;
		});
		let peak = peaks[hop];
		for (let i = start; i < end; i++) peak = Math.max(peak, Math.abs(chunk[i]));
		peaks[hop] = peak;
	}
}
