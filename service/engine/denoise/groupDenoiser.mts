import { MonoMix } from '../../media/monoMix.mts';
import { writeDecided } from '../networks/deepFilterNet/decidedSpectrum.mts';
import {
	type Decisions,
	DeepFilterNet,
	FILTER,
	LOOK_AHEAD,
} from '../networks/deepFilterNet/deepFilterNet.mts';
import { BANDS } from '../networks/deepFilterNet/features.mts';
import {
	addFrame,
	BINS,
	HOP_SAMPLES,
	RATE_HZ,
	SPECTRUM,
	spectrumAt,
} from '../networks/deepFilterNet/frames.mts';
import { FRAMES_AFTER, FRAMES_BEFORE, FRAMES_STILL, Onsets } from './onsets.mts';

/** Frames that are denoised at a time, 0.96 s. */
export const BLOCK_HOPS = 96;
export const BLOCK_FRAMES = BLOCK_HOPS * HOP_SAMPLES;

/** A frame is finished when so many more were heard: the network looks ahead, and so do the onsets. */
const LATE = LOOK_AHEAD + FRAMES_BEFORE + FRAMES_AFTER;

/** The output is later than the input by this many samples. */
export const DELAY_FRAMES = (LATE + 1) * HOP_SAMPLES;

/** Frames that are remembered before those of a block. */
const BEFORE = LATE + FRAMES_AFTER + FRAMES_STILL + LOOK_AHEAD;
const ROWS = BEFORE + BLOCK_HOPS;

/**
 * Denoises channels that belong together. The network hears their mean, and what it decides applies to each of them,
 * so each sound keeps its place between the channels.
 */
export class GroupDenoiser {
	private readonly network: DeepFilterNet | undefined;
	private readonly left: number;
	private readonly mix: MonoMix;
	private readonly sounds: readonly ChannelSound[];
	private readonly mean: ChannelSound;
	private readonly decisions: Decisions = {
		gains: new Float32Array(ROWS * BANDS),
		filters: new Float32Array(ROWS * FILTER),
	};
	private readonly onsets = new Onsets(ROWS);
	private readonly decided = new Float32Array(SPECTRUM);

	private constructor(
		network: DeepFilterNet | undefined,
		channels: readonly number[],
		left: number,
	) {
		this.network = network;
		this.left = left;
		this.mix = new MonoMix({ channels: channels.length, sampleRateHz: RATE_HZ });
		this.sounds = channels.map((channel) => new ChannelSound(channel));
		this.mean = channels.length === 1 ? this.sounds[0] : new ChannelSound(0);
	}

	/**
	 * @param channels of the interleaved samples.
	 * @param isTouched if not, the sound is only delayed.
	 * @param left what is left of noise, as a share of its amplitude.
	 */
	static async create(
		channels: readonly number[],
		isTouched: boolean,
		left: number,
	): Promise<GroupDenoiser> {
		const network = isTouched ? await DeepFilterNet.create() : undefined;
		return new GroupDenoiser(network, channels, left);
	}

	/**
	 * Denoises its channels of `BLOCK_FRAMES` interleaved frames in place, 48 kHz, full scale ±1.
	 *
	 * @param strengths of the noise reduction in each finished hop: 0 leaves the sound unchanged, 1 is full.
	 * @param loudness by which the network hears each hop of the block amplified.
	 */
	async process(
		block: Float32Array,
		strengths: Float64Array,
		loudness: Float64Array,
	): Promise<void> {
		const { sounds, mean, network } = this;
		const inputs = sounds.map((sound) => sound.take(block));
		if (!sounds.includes(mean)) mean.write(this.mix.mixed(interleaved(inputs)));
		for (const sound of new Set([...sounds, mean])) sound.analyze();
		if (network) await this.decide(network, loudness);
		for (let hop = 0; hop < BLOCK_HOPS; hop++) {
			for (const sound of sounds) sound.add(hop, this.finished(sound.spectra, hop, strengths[hop]));
		}
		for (const sound of sounds) sound.read(block);
	}

	private async decide(network: DeepFilterNet, loudness: Float64Array): Promise<void> {
		const { gains, filters } = this.decisions;
		const { onsets, decided } = this;
		const { spectra } = this.mean;
		// What it decides applies to the sound as it is.
		const heard = spectra.slice(BEFORE * SPECTRUM);
		for (let i = 0; i < heard.length; i++) heard[i] *= loudness[Math.floor(i / SPECTRUM)];
		const next = await network.decide(heard);
		const first = BEFORE - LOOK_AHEAD;
		gains.copyWithin(0, BLOCK_HOPS * BANDS).set(next.gains, first * BANDS);
		filters.copyWithin(0, BLOCK_HOPS * FILTER).set(next.filters, first * FILTER);
		onsets.shift(BLOCK_HOPS);
		for (let row = first; row < first + BLOCK_HOPS; row++) {
			writeDecided(spectra, this.decisions, row, decided);
			onsets.write(row, spectra.subarray(row * SPECTRUM, (row + 1) * SPECTRUM), decided);
		}
		onsets.search(first - FRAMES_AFTER, first - FRAMES_AFTER + BLOCK_HOPS);
	}

	/** The spectrum of the frame that is due at a hop; valid until the next call. */
	private finished(spectra: Float32Array, hop: number, strength: number): Float32Array {
		const row = BEFORE - LATE + hop;
		const before = spectra.subarray(row * SPECTRUM, (row + 1) * SPECTRUM);
		const share = strength * (1 - this.left);
		if (!this.network || share === 0) return before;
		const { decided } = this;
		writeDecided(spectra, this.decisions, row, decided);
		const least = this.onsets.least.subarray(row * BINS, (row + 1) * BINS);
		for (let bin = 0, i = 0; bin < BINS; bin++, i += 2) {
			const re = before[i];
			const im = before[i + 1];
			const gain = least[bin];
			if (decided[i] ** 2 + decided[i + 1] ** 2 < gain * gain * (re * re + im * im)) {
				decided[i] = gain * re;
				decided[i + 1] = gain * im;
			}
			decided[i] = re + share * (decided[i] - re);
			decided[i + 1] = im + share * (decided[i + 1] - im);
		}
		return decided;
	}
}

/** One channel on its way through the denoiser. */
class ChannelSound {
	/** Of the last frames and those of the block. */
	readonly spectra = new Float32Array(ROWS * SPECTRUM);
	private readonly channel: number;
	/** Begin with the hop before. */
	private readonly input = new Float32Array(HOP_SAMPLES + BLOCK_FRAMES);
	private readonly output = new Float32Array(HOP_SAMPLES + BLOCK_FRAMES);

	constructor(channel: number) {
		this.channel = channel;
	}

	/** Takes the channel's samples of a block, and returns them. */
	take(block: Float32Array): Float32Array {
		const step = block.length / BLOCK_FRAMES;
		const samples = new Float32Array(BLOCK_FRAMES);
		for (let i = 0; i < BLOCK_FRAMES; i++) samples[i] = block[i * step + this.channel];
		this.write(samples);
		return samples;
	}

	write(samples: Float32Array): void {
		this.input.copyWithin(0, BLOCK_FRAMES);
		this.input.set(samples, HOP_SAMPLES);
		this.output.copyWithin(0, BLOCK_FRAMES).fill(0, HOP_SAMPLES);
	}

	/** Writes the spectra of the block's frames. */
	analyze(): void {
		const { spectra } = this;
		spectra.copyWithin(0, BLOCK_HOPS * SPECTRUM);
		for (let hop = 0; hop < BLOCK_HOPS; hop++) {
			const row = BEFORE + hop;
			const spectrum = spectra.subarray(row * SPECTRUM, (row + 1) * SPECTRUM);
			spectrumAt(this.input, hop * HOP_SAMPLES, spectrum);
		}
	}

	/** Adds a finished frame to the output. */
	add(hop: number, spectrum: Float32Array): void {
		addFrame(spectrum, this.output, hop * HOP_SAMPLES);
	}

	/** Reads what is finished into the channel's samples of a block. */
	read(block: Float32Array): void {
		const step = block.length / BLOCK_FRAMES;
		for (let i = 0; i < BLOCK_FRAMES; i++) block[i * step + this.channel] = this.output[i];
	}
}

/** Interleaves the samples of channels. */
function interleaved(sounds: readonly Float32Array[]): Float32Array {
	if (sounds.length === 1) return sounds[0];
	const samples = new Float32Array(sounds.length * sounds[0].length);
	sounds.forEach((sound, channel) => {
		for (let i = 0; i < sound.length; i++) samples[i * sounds.length + channel] = sound[i];
	});
	return samples;
}
