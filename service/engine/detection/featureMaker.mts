import { PcmReader, type PcmFile } from '../../media/pcmFile.mts';
import { highPass, RunningBiquad } from '../signal/biquad.mts';
import {
	ANALYSIS_RATE_HZ,
	energyDb,
	energyOf,
	HOP_FRAMES,
	loudestChannelDb,
	SILENCE_DB,
} from '../signal/levels.mts';
import type { IndexRange } from '../../shared/timeRanges.mts';
import type { FeatureNeeds, SignalFeatures } from './features.mts';
import { MEL_BANDS, MelSpectrum } from './melSpectrum.mts';
import { VoiceActivity } from './voiceActivity.mts';
import { voicingOf } from './voicing.mts';

/** Samples kept of each channel: a hop, what is before it and the hop after it. */
const BUFFER_SAMPLES = 4 * HOP_FRAMES;

/** Where the hop that is analyzed begins in them. */
const MIDDLE = BUFFER_SAMPLES - 2 * HOP_FRAMES;

const MILLISECOND_SAMPLES = ANALYSIS_RATE_HZ / 1_000;

/** Hum, rumble and DC are below speech and would mask how quiet a pause is. */
const MIN_HZ = 80;

/** The voice detector adapts to what it hears, so it begins to listen this early; without it, only a filter settles. */
const LEAD_IN_HOPS = 1_000;
const SHORT_LEAD_IN_HOPS = 100;

/** The largest value of the 16-bit integers in the file, plus one. */
const FULL_SCALE = 32_768;

/** Hops read at a time. */
const HOPS_PER_READ = 500;

/** A range of hops to measure. */
export interface FeatureTask {
	/** 16 kHz. */
	pcm: PcmFile;
	hops: IndexRange;
	needs: FeatureNeeds;
	/** The features of the whole recording. */
	features: SignalFeatures;
}

/**
 * Writes the features of a range of hops: without the lowest frequencies, and of several channels the
 * loudest at each moment.
 *
 * @throws the signal's reason when aborted.
 */
export async function measureFeatures(task: FeatureTask, signal?: AbortSignal): Promise<void> {
	const { pcm } = task;
	using voiceActivity = task.needs.voices ? await VoiceActivity.create() : undefined;
	await using reader = await PcmReader.open(pcm);
	const maker = new FeatureMaker(task, voiceActivity);
	const filters = Array.from({ length: pcm.channels }, () => {
		return new RunningBiquad(highPass(MIN_HZ, ANALYSIS_RATE_HZ));
	});
	// A spectrum reaches into the hop after its own.
	const endFrame = Math.min(pcm.frames, (task.hops.end + 1) * HOP_FRAMES);
	const step = HOPS_PER_READ * HOP_FRAMES;
	const room = new Float32Array(step * pcm.channels);
	for (let frame = maker.firstHop * HOP_FRAMES; frame < endFrame; frame += step) {
		signal?.throwIfAborted();
		const frames = Math.min(step, endFrame - frame);
		const samples = await reader.readInto(room.subarray(0, frames * pcm.channels), frame);
		filters.forEach((filter, channel) => {
			filter.process(samples, samples, channel, pcm.channels);
		});
		roundDown(samples);
		const hopSamples = HOP_FRAMES * pcm.channels;
		for (let place = 0; place < samples.length; place += hopSamples) {
			maker.push(samples.subarray(place, place + hopSamples));
		}
	}
	maker.finish();
}

/** A filter rings on forever. What is below the file's resolution is silence. */
function roundDown(samples: Float32Array): void {
	for (let i = 0; i < samples.length; i++) {
		samples[i] = Math.trunc(samples[i] * FULL_SCALE) / FULL_SCALE;
	}
}

/** Measures hops as they come. */
class FeatureMaker {
	/** The hop that comes first. Until the range begins, only the voice detector listens. */
	readonly firstHop: number;
	private readonly hops: IndexRange;
	private readonly features: SignalFeatures;
	private readonly buffers: Float32Array[];
	private readonly spectrum = new MelSpectrum();
	private readonly hasEdges: boolean;
	private readonly voiceActivity: VoiceActivity | undefined;
	private hop: number;

	constructor(
		{ pcm, hops, needs, features }: FeatureTask,
		voiceActivity: VoiceActivity | undefined,
	) {
		const leadInHops = voiceActivity ? LEAD_IN_HOPS : SHORT_LEAD_IN_HOPS;
		this.firstHop = Math.max(0, hops.start - leadInHops);
		this.hop = this.firstHop;
		this.hops = hops;
		this.features = features;
		this.buffers = Array.from({ length: pcm.channels }, () => new Float32Array(BUFFER_SAMPLES));
		this.hasEdges = needs.edges;
		this.voiceActivity = voiceActivity;
	}

	/** @param samples interleaved; only the last hop may be short. */
	push(samples: Float32Array): void {
		const { start, end } = this.hops;
		if (this.hop >= start && this.hop < end) {
			this.features.levels[this.hop] = loudestChannelDb(samples, this.buffers.length);
		}
		this.append(samples);
		// A spectrum is taken around the middle of a hop, so it waits for the next one.
		this.analyze(this.hop - 1);
		this.hop++;
	}

	finish(): void {
		this.append(new Float32Array(0));
		this.analyze(this.hop - 1);
	}

	private append(samples: Float32Array): void {
		const channels = this.buffers.length;
		const frames = samples.length / channels;
		this.buffers.forEach((buffer, channel) => {
			buffer.copyWithin(0, HOP_FRAMES);
			const start = BUFFER_SAMPLES - HOP_FRAMES;
			for (let i = 0; i < HOP_FRAMES; i++) {
				buffer[start + i] = i < frames ? samples[i * channels + channel] : 0;
			}
		});
	}

	private analyze(hop: number): void {
		const features = this.features;
		if (hop < this.firstHop || hop >= this.hops.end) return;
		const isLeadIn = hop < this.hops.start;
		if (!isLeadIn && features.levels[hop] <= SILENCE_DB) return;
		const buffer = this.loudest();
		const isVoice = this.voiceActivity?.isVoice(buffer.subarray(MIDDLE, MIDDLE + HOP_FRAMES));
		if (isLeadIn) return;
		features.isVoice[hop] = Number(isVoice ?? false);
		if (this.hasEdges) this.measureEdges(buffer, hop);
		this.spectrum.write(buffer, features.mel, hop * MEL_BANDS);
		this.measureVoicing(buffer, hop);
	}

	private measureEdges(buffer: Float32Array, hop: number): void {
		let [whole, loudest] = [0, 0];
		for (let start = MIDDLE; start < MIDDLE + HOP_FRAMES; start += MILLISECOND_SAMPLES) {
			const energy = edgeEnergy(buffer, start, start + MILLISECOND_SAMPLES);
			whole += energy;
			loudest = Math.max(loudest, energy);
		}
		this.features.edges[hop] = energyDb(whole / HOP_FRAMES);
		this.features.peaks[hop] = energyDb(loudest / MILLISECOND_SAMPLES);
	}

	/** Measured over 40 ms, so every second hop is enough. */
	private measureVoicing(buffer: Float32Array, hop: number): void {
		const { voicing, pitchHz } = this.features;
		if (hop % 2 === 1) {
			voicing[hop] = voicing[hop - 1];
			pitchHz[hop] = pitchHz[hop - 1];
			return;
		}
		const measured = voicingOf(buffer);
		voicing[hop] = Math.round(255 * measured.strength);
		pitchHz[hop] = measured.pitchHz;
	}

	private loudest(): Float32Array {
		if (this.buffers.length === 1) return this.buffers[0];
		const energies = this.buffers.map((buffer) => energyOf(buffer, 0, buffer.length));
		return this.buffers[energies.indexOf(Math.max(...energies))];
	}
}

/** The energy of what changes from sample to sample. */
function edgeEnergy(samples: Float32Array, start: number, end: number): number {
	let energy = 0;
	for (let i = start; i < end; i++) energy += (samples[i] - 0.95 * samples[i - 1]) ** 2;
	return energy;
}
