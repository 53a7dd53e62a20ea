import type { PcmSource } from '../../media/pcmFile.mts';
import { hopFramesAt } from '../signal/levels.mts';
import { sharedFloats } from '../signal/sharedArrays.mts';
import { channelWeight, KWeighting } from './kWeighting.mts';

/** How loud and how high a recording is, hop by hop: 3 MB an hour. */
export interface LevelProfile {
	/** Mean square over a hop, weighted as ITU-R BS.1770 has it, summed over the channels. */
	energies: Float32Array;
	/** The highest absolute sample of any channel in a hop, full scale 1. */
	peaks: Float32Array;
}

/** The profile of a recording that has not been measured, in memory that threads share. */
export function newProfile({ sampleRateHz, frames }: PcmSource): LevelProfile {
	const hops = Math.ceil(frames / hopFramesAt(sampleRateHz));
	return { energies: sharedFloats(hops), peaks: sharedFloats(hops) };
}

/**
 * Measures a recording while it is read once.
 *
 * @throws the signal's reason when aborted.
 */
export async function profileOf(source: PcmSource, signal?: AbortSignal): Promise<LevelProfile> {
	const profile = newProfile(source);
	await measureProfile(source, profile, signal);
	return profile;
}

/** Writes the profile of a recording. Throws as `profileOf`. */
export async function measureProfile(
	source: PcmSource,
	profile: LevelProfile,
	signal?: AbortSignal,
): Promise<void> {
	const { sampleRateHz, channels, frames } = source;
	const step = hopFramesAt(sampleRateHz);
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
