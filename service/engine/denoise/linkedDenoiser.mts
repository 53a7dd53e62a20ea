import { MonoMix } from '../../media/monoMix.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';
import type { Burst } from './burstMeter.mts';
import { BLOCK_FRAMES, DtlnMask } from './dtlnMask.mts';
import { LOOK_AHEAD_FRAMES, NoiseGains } from './noiseGains.mts';
import { RNNOISE_DELAY_SAMPLES, RNNOISE_RATE_HZ, Rnnoise } from './models/rnnoise.mts';
import {
	addWindow,
	BINS,
	HOP_SAMPLES,
	newSpectrum,
	spectrumAt,
} from '../signal/windowTransform.mts';

/** What to do in each hop of a block; see `process`. */
export interface Guide {
	strengths: readonly Float64Array[];
	noise: readonly Float64Array[];
	bursts: readonly (Burst | undefined)[] | undefined;
	crowds: readonly (TimeRange | undefined)[] | undefined;
}

/** In a crowd DTLN errs in other places than our gains, so a mean of both is better than either: DTLN's share of it. */
const SHARE_OF_DTLN = 0.6;

/** Keeps the division of silence by silence finite. */
const TINY = 1e-14;

/**
 * Denoises the channels of a recording. RNNoise, which takes most of the time, hears the mean of all
 * channels. Each group of channels has its own noise floor and its own gains; within a group the gains
 * are the same, so each sound keeps its place between the channels.
 */
export class LinkedDenoiser implements Disposable {
	private readonly rnnoise: Rnnoise;
	private readonly mask: DtlnMask | undefined;
	private readonly groups: readonly Group[];
	private readonly sounds: readonly ChannelSound[];
	/** RNNoise's output; begins with the previous hop. */
	private readonly denoised = new Float32Array(HOP_SAMPLES + BLOCK_FRAMES);
	private readonly denoisedSpectrum = newSpectrum();
	private readonly inputPowers = new Float64Array(BINS);
	/** How much of each bin's amplitude RNNoise keeps. */
	private readonly kept = new Float64Array(BINS);
	private readonly mix: MonoMix;
	private frame = 0;

	private constructor(
		rnnoise: Rnnoise,
		mask: DtlnMask | undefined,
		groups: readonly (readonly number[])[],
	) {
		this.rnnoise = rnnoise;
		this.mask = mask;
		this.groups = groups.map((channels) => new Group(channels));
		this.sounds = this.groups
			.flatMap(({ sounds }) => sounds)
			.toSorted((a, b) => a.channel - b.channel);
		this.mix = new MonoMix({ channels: this.sounds.length, sampleRateHz: RNNOISE_RATE_HZ });
	}

	/**
	 * @param groups which channels of the interleaved samples get the same gains.
	 * @param speech the mean square of the loudest speech, if there will be bursts or crowds.
	 */
	static async create(
		groups: readonly (readonly number[])[],
		speech: number | undefined,
	): Promise<LinkedDenoiser> {
		const mask = speech === undefined ? undefined : await DtlnMask.create(speech);
		return new LinkedDenoiser(await Rnnoise.create(BLOCK_FRAMES), mask, groups);
	}

	/**
	 * Denoises its channels of `BLOCK_FRAMES` interleaved frames in place, 48 kHz, full scale ±1.
	 *
	 * @param strengths for each group, of the noise reduction in each hop: 0 leaves the sound
	 * unchanged, 1 is full.
	 * @param noise for each group, its mean square in each hop.
	 * @param bursts the burst of noise of each hop, in a block that is in one or near it.
	 * @param crowds the crowd that talks in each hop, in a block where one talks or soon will.
	 */
	process(block: Float32Array, guide: Guide): void {
		const { strengths, noise, bursts, crowds } = guide;
		this.write(block, guide);
		for (let hop = 0; hop < BLOCK_FRAMES / HOP_SAMPLES; hop++) {
			this.estimate(hop);
			const burst = bursts?.[hop];
			const crowd = crowds?.[hop];
			if (burst || crowd) this.readPowers(this.frame - LOOK_AHEAD_FRAMES);
			const inBurst = burst && this.mask?.inBurst(this.inputPowers, hop, burst.densities);
			const inCrowd = crowd && this.mask?.inCrowd(this.inputPowers, hop);
			this.groups.forEach((group, index) => {
				const due = this.frame - LOOK_AHEAD_FRAMES;
				group.decide(this.kept, this.frame, noise[index][hop]);
				group.apply(strengths[index][hop], { inBurst, inCrowd }, due, hop);
			});
			this.frame++;
		}
		for (const sound of this.sounds) sound.read(block);
	}

	private write(block: Float32Array, { bursts, crowds }: Guide): void {
		this.denoised.copyWithin(0, BLOCK_FRAMES);
		const mean = this.denoised.subarray(HOP_SAMPLES);
		const sounds = this.sounds.map((sound) => sound.write(block));
		this.mix.write(interleaved(sounds), mean);
		this.mask?.write((bursts ?? crowds) && mean);
		this.rnnoise.process(mean);
	}

	/** Reads the powers of what all channels hold in a frame. */
	private readPowers(frame: number): void {
		const spectra = this.sounds.map((sound) => sound.spectrum(frame));
		meanPowers(spectra, this.mix.weights, this.inputPowers);
	}

	/** Estimates what RNNoise keeps of the next frame: compares RNNoise's output with its input. */
	private estimate(hop: number): void {
		for (const sound of this.sounds) sound.analyze(this.frame, hop);
		this.readPowers(this.frame);
		const [denoised, input, kept] = [this.denoisedSpectrum, this.inputPowers, this.kept];
		spectrumAt(this.denoised, hop * HOP_SAMPLES, denoised);
		for (let bin = 0; bin < BINS; bin++) {
			const power = denoised[2 * bin] ** 2 + denoised[2 * bin + 1] ** 2;
			kept[bin] = Math.min(1, Math.sqrt(power / (input[bin] + TINY)));
		}
	}

	[Symbol.dispose](): void {
		this.rnnoise[Symbol.dispose]();
	}
}

/** Channels with the same gains. */
class Group {
	readonly sounds: readonly ChannelSound[];
	private readonly noise = new NoiseGains();
	private readonly powers = new Float64Array(BINS);
	private readonly gains = new Float64Array(BINS);
	private readonly shares: Float64Array;

	constructor(channels: readonly number[]) {
		this.sounds = channels.map((channel) => new ChannelSound(channel));
		this.shares = new Float64Array(channels.length).fill(1 / channels.length);
	}

	/** Decides the gains of the frame `LOOK_AHEAD_FRAMES` before this one. */
	decide(kept: Float64Array, frame: number, noise: number): void {
		const spectra = this.sounds.map((sound) => sound.spectrum(frame));
		meanPowers(spectra, this.shares, this.powers);
		this.noise.next(this.powers, kept, noise, this.gains);
	}

	/** Applies the gains to that frame. `kept`: how much DTLN keeps. */
	apply(
		strength: number,
		kept: Readonly<Record<'inBurst' | 'inCrowd', Float64Array | undefined>>,
		frame: number,
		hop: number,
	): void {
		const { gains } = this;
		const { inBurst, inCrowd } = kept;
		for (let bin = 0; bin < BINS; bin++) {
			const own = gains[bin];
			const mixed = own + SHARE_OF_DTLN * ((inCrowd?.[bin] ?? own) - own);
			gains[bin] = Math.min(1 - strength * (1 - mixed), inBurst?.[bin] ?? 1);
		}
		for (const sound of this.sounds) sound.apply(gains, frame, hop);
	}
}

/** One channel on its way through the denoiser. */
class ChannelSound {
	readonly channel: number;
	/** With RNNoise's delay; begins with the previous hop, as the output does. */
	private readonly input = new Float32Array(HOP_SAMPLES + RNNOISE_DELAY_SAMPLES + BLOCK_FRAMES);
	private readonly output = new Float32Array(HOP_SAMPLES + BLOCK_FRAMES);
	private readonly spectra = Array.from({ length: LOOK_AHEAD_FRAMES + 1 }, newSpectrum);

	constructor(channel: number) {
		this.channel = channel;
	}

	/** Writes the channel's samples of a block, and returns them. */
	write(block: Float32Array): Float32Array {
		const step = block.length / BLOCK_FRAMES;
		const past = HOP_SAMPLES + RNNOISE_DELAY_SAMPLES;
		this.input.copyWithin(0, BLOCK_FRAMES);
		this.output.copyWithin(0, BLOCK_FRAMES).fill(0, HOP_SAMPLES);
		for (let i = 0; i < BLOCK_FRAMES; i++) {
			this.input[past + i] = block[i * step + this.channel];
		}
		return this.input.subarray(past);
	}

	/** The spectrum of one of the last frames. */
	spectrum(frame: number): Float32Array {
		const { length } = this.spectra;
		return this.spectra[(frame + length) % length];
	}

	analyze(frame: number, hop: number): void {
		spectrumAt(this.input, hop * HOP_SAMPLES, this.spectrum(frame));
	}

	/** Attenuates a frame and adds it to the output. */
	apply(gains: Float64Array, frame: number, hop: number): void {
		const spectrum = this.spectrum(frame);
		for (let bin = 0; bin < BINS; bin++) {
			spectrum[2 * bin] *= gains[bin];
			spectrum[2 * bin + 1] *= gains[bin];
		}
		addWindow(spectrum, this.output, hop * HOP_SAMPLES);
	}

	/** Reads what is denoised into the channel's samples of a block. */
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

/** Writes the powers of a mix of several spectra. @param shares of each in the mix. */
function meanPowers(
	spectra: readonly Float32Array[],
	shares: Float64Array,
	powers: Float64Array,
): void {
	for (let bin = 0; bin < BINS; bin++) {
		let [re, im] = [0, 0];
		for (let i = 0; i < spectra.length; i++) {
			re += shares[i] * spectra[i][2 * bin];
			im += shares[i] * spectra[i][2 * bin + 1];
		}
		powers[bin] = re * re + im * im;
	}
}
