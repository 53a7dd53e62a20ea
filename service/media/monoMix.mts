import type { PcmFormat, PcmSource } from './pcmFile.mts';

/** How often the mix is decided, and how much of the past counts, in seconds. */
const STEP_SECONDS = 0.01;
const MEMORY_SECONDS = 0.3;

/**
 * What only one of two channels holds is 6 dB softer in their mean. Where the mean is softer than this,
 * dB, the channels cancel each other out: one of them has its poles reversed, or there are many of which one
 * holds all. The second figure keeps the choice from changing all the time.
 */
const CANCELED_DB = -9;
const NOT_CANCELED_DB = -7.5;

/** Only what is above this counts, Hz. */
const MIN_HZ = 80;

/** Another channel is chosen only if it is this much louder: two with reversed poles are equally loud, dB. */
const LOUDER_DB = 3;

/** Digital silence, which changes nothing: the energy of a step. */
const SILENCE = 1e-10;

const powerOf = (db: number) => 10 ** (db / 10);

/**
 * Mixes all channels into one for those who listen to one: their mean, or, where it is much softer than a
 * channel, the loudest channel. A change fades over a step.
 */
export class MonoMix {
	/** The share of each channel in the mix. */
	readonly weights: Float64Array;
	private readonly channels: number;
	private readonly stepFrames: number;
	private readonly kept: number;
	/** Mean squares lately, of each channel and of the mean. */
	private readonly energies: Float64Array;
	private meanEnergy = 0;
	/** For a high-pass, the last sample of each channel before it and after it: an offset cancels nothing out. */
	private readonly before: Float64Array;
	private readonly heard: Float64Array;
	private readonly decay: number;
	private loudest: number | undefined;
	private isFirst = true;

	constructor({ channels, sampleRateHz }: PcmFormat) {
		this.channels = channels;
		this.weights = new Float64Array(channels).fill(1 / channels);
		this.energies = new Float64Array(channels);
		this.before = new Float64Array(channels);
		this.heard = new Float64Array(channels);
		this.decay = Math.exp((-2 * Math.PI * MIN_HZ) / sampleRateHz);
		this.stepFrames = Math.max(1, Math.round(STEP_SECONDS * sampleRateHz));
		this.kept = Math.exp(-STEP_SECONDS / MEMORY_SECONDS);
	}

	/** Mixes interleaved frames. */
	write(frames: Float32Array, mono: Float32Array): void {
		const { channels, stepFrames } = this;
		const count = frames.length / channels;
		for (let start = 0; start < count; start += stepFrames) {
			const end = Math.min(count, start + stepFrames);
			const part = frames.subarray(start * channels, end * channels);
			this.writeStep(part, mono.subarray(start, end));
		}
	}

	/** Mixes interleaved frames into a new array. */
	mixed(frames: Float32Array): Float32Array {
		const mono = new Float32Array(frames.length / this.channels);
		this.write(frames, mono);
		return mono;
	}

	private writeStep(frames: Float32Array, mono: Float32Array): void {
		const { channels, weights } = this;
		const before = weights.slice();
		if (channels > 1) this.listen(frames);
		// There is nothing to fade from at the beginning.
		if (this.isFirst) before.set(weights);
		this.isFirst = false;
		if (weights.every((weight, channel) => weight === before[channel])) {
			addWeighted(frames, weights, mono);
			return;
		}
		for (let i = 0; i < mono.length; i++) {
			const share = (i + 1) / mono.length;
			let sample = 0;
			for (let channel = 0; channel < channels; channel++) {
				const weight = before[channel] + share * (weights[channel] - before[channel]);
				sample += weight * frames[i * channels + channel];
			}
			mono[i] = sample;
		}
	}

	/** Decides the weights by what was heard up to here. */
	private listen(frames: Float32Array): void {
		const { channels, energies, kept } = this;
		for (let channel = 0; channel < channels; channel++) energies[channel] *= kept;
		this.meanEnergy *= kept;
		const { before, heard, decay } = this;
		for (let i = 0; i < frames.length; i += channels) {
			let sum = 0;
			for (let channel = 0; channel < channels; channel++) {
				const sample = frames[i + channel];
				const change = sample - before[channel] + decay * heard[channel];
				before[channel] = sample;
				heard[channel] = change;
				sum += change;
				energies[channel] += change * change;
			}
			this.meanEnergy += (sum / channels) ** 2;
		}
		const loudest = energies.indexOf(Math.max(...energies));
		if (energies[loudest] < SILENCE) return;
		const limitDb = this.loudest === undefined ? CANCELED_DB : NOT_CANCELED_DB;
		const isCanceled = this.meanEnergy < energies[loudest] * powerOf(limitDb);
		const isOther =
			this.loudest === undefined || energies[loudest] > energies[this.loudest] * powerOf(LOUDER_DB);
		if (!isCanceled) this.loudest = undefined;
		else if (isOther) this.loudest = loudest;
		this.weights.fill(this.loudest === undefined ? 1 / channels : 0);
		if (this.loudest !== undefined) this.weights[this.loudest] = 1;
	}
}

/** Mixes frames by weights that stay the same. */
function addWeighted(frames: Float32Array, weights: Float64Array, mono: Float32Array): void {
	const channels = weights.length;
	for (let i = 0; i < mono.length; i++) {
		let sample = 0;
		for (let channel = 0; channel < channels; channel++) {
			sample += weights[channel] * frames[i * channels + channel];
		}
		mono[i] = sample;
	}
}

/** Mixes a sound into one channel while it is read. */
export function monoOf(source: PcmSource): PcmSource {
	if (source.channels === 1) return source;
	return {
		...source,
		channels: 1,
		async *chunks(startFrame, endFrame) {
			const mix = new MonoMix(source);
			for await (const chunk of source.chunks(startFrame, endFrame)) yield mix.mixed(chunk);
		},
	};
}
