import { pcmSourceOf, readFrames, type PcmFile, type PcmSource } from '../media/pcmFile.mts';
import { highPass, lowPass, RunningBiquad } from './signal/biquad.mts';
import { energyOf, factorOf } from './signal/levels.mts';

/** Nobody hears anything below this, Hz. */
const MIN_AUDIBLE_HZ = 20;

/** What is surely not heard is below this, Hz: the measure's filters leave little of the lowest notes. */
const SUBSONIC_HZ = 12;

/** More than this takes room from what is heard, dBFS over a tenth of a second. */
const MAX_SUBSONIC_DB = -60;
const BLOCK_SECONDS = 0.1;

/** The filters begin this early, so that they are settled. */
const WARM_UP_SECONDS = 1;

/** Twelve dB per octave each. */
const FILTERS = 2;

/**
 * Returns whether a recording has energy that nobody hears: an offset, or thumps.
 *
 * @throws the signal's reason when aborted.
 */
export async function hasSubsonics(pcm: PcmFile, signal?: AbortSignal): Promise<boolean> {
	const { channels, sampleRateHz } = pcm;
	const filters = filtersOf(channels, lowPass(SUBSONIC_HZ, sampleRateHz));
	const blockSamples = Math.round(BLOCK_SECONDS * sampleRateHz) * channels;
	const maxEnergy = factorOf(MAX_SUBSONIC_DB) ** 2;
	for await (const chunk of pcmSourceOf(pcm).chunks(0, pcm.frames)) {
		signal?.throwIfAborted();
		filtered(chunk, filters);
		for (let start = 0; start < chunk.length; start += blockSamples) {
			const block = chunk.subarray(start, start + blockSamples);
			if (energyOf(block, 0, block.length) > maxEnergy * block.length) return true;
		}
	}
	return false;
}

/**
 * The sound without what nobody hears, as long and in step.
 *
 * @param minHz takes out what is lower, if it is heard.
 */
export function withoutSubsonics(source: PcmSource, minHz: number): PcmSource {
	const fromHz = Math.max(minHz, MIN_AUDIBLE_HZ);
	return { ...source, chunks: (start, end) => audibleChunks(source, fromHz, start, end) };
}

async function* audibleChunks(
	source: PcmSource,
	fromHz: number,
	startFrame: number,
	endFrame: number,
): AsyncGenerator<Float32Array> {
	const { channels, sampleRateHz } = source;
	const from = Math.max(0, startFrame - WARM_UP_SECONDS * sampleRateHz);
	// An offset would make a filter thump at the beginning.
	const count = Math.min(Math.round(BLOCK_SECONDS * sampleRateHz), source.frames - from);
	const offsets = meansOf(await readFrames(source, from, count), channels);
	const filters = filtersOf(channels, highPass(fromHz, sampleRateHz));
	let toDrop = (startFrame - from) * channels;
	for await (const chunk of source.chunks(from, endFrame)) {
		const samples = chunk.slice();
		for (let i = 0; i < samples.length; i++) samples[i] -= offsets[i % channels];
		filtered(samples, filters);
		const part = samples.subarray(Math.min(toDrop, samples.length));
		toDrop = Math.max(0, toDrop - samples.length);
		if (part.length > 0) yield part;
	}
}

/** The mean of each channel of interleaved samples. */
export function meansOf(samples: Float32Array, channels: number): Float64Array {
	const means = new Float64Array(channels);
	for (let i = 0; i < samples.length; i++) means[i % channels] += samples[i];
	const frames = Math.max(1, samples.length / channels);
	return means.map((sum) => sum / frames);
}

function filtersOf(channels: number, filter: ReturnType<typeof highPass>): RunningBiquad[][] {
	const stages = () => Array.from({ length: FILTERS }, () => new RunningBiquad(filter));
	return Array.from({ length: channels }, stages);
}

/** Filters interleaved samples in place. */
function filtered(samples: Float32Array, filters: readonly RunningBiquad[][]): void {
	filters.forEach((stages, channel) => {
		for (const stage of stages) stage.process(samples, samples, channel, filters.length);
	});
}
