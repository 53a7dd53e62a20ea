import type { PcmSource } from '../../media/pcmFile.mts';
import { hopFramesAt } from '../signal/levels.mts';
import { channelWeight, KWeighting } from './kWeighting.mts';

/** How loud and how high a recording is, hop by hop: 3 MB an hour. */
export interface LevelProfile {
	/** Mean square over a hop, weighted as ITU-R BS.1770 has it, summed over the channels. */
	energies: Float32Array;
	/** The highest absolute sample of any channel in a hop, full scale 1. */
	peaks: Float32Array;
}

/**
 * Measures a recording while it is read once.
 *
 * @throws the signal's reason when aborted.
 */
export async function profileOf(source: PcmSource, signal?: AbortSignal): Promise<LevelProfile> {
	const { sampleRateHz, channels, frames } = source;
	const step = hopFramesAt(sampleRateHz);
	const hops = Math.ceil(frames / step);
	const profile = { energies: new Float32Array(hops), peaks: new Float32Array(hops) };
	const weightings = Array.from({ length: channels }, () => new KWeighting(sampleRateHz));
	let frame = 0;
	for await (const chunk of source.chunks(0, frames)) {
		signal?.throwIfAborted();
		for (let start = 0; start < chunk.length; ) {
			const part = chunk.subarray(start, start + (step - (frame % step)) * channels);
			addTo(profile, Math.floor(frame / step), part, weightings, step);
			frame += part.length / channels;
			start += part.length;
		}
	}
	return profile;
}

/** Adds a part of one hop to its levels. */
function addTo(
	{ energies, peaks }: LevelProfile,
	hop: number,
	part: Float32Array,
	weightings: readonly KWeighting[],
	framesPerHop: number,
) {
	const channels = weightings.length;
	weightings.forEach((weighting, channel) => {
		const energy = weighting.energyOf(part, channel, part.length, channels);
		energies[hop] += (energy * channelWeight(channel, channels)) / framesPerHop;
	});
	let peak = peaks[hop];
	for (let i = 0; i < part.length; i++) peak = Math.max(peak, Math.abs(part[i]));
	peaks[hop] = peak;
}
