import { LOOK_AHEAD_FRAMES, NoiseGains } from './noiseGains.mts';
import { RNNOISE_DELAY_SAMPLES, RNNOISE_FRAME_SAMPLES, Rnnoise } from './rnnoise.mts';
import { BINS, HOP_SAMPLES, PairedTransform, type Placed } from './signal/pairedTransform.mts';

/** Frames per block, 0.96 s: whole RNNoise frames and an even number of hops. */
export const BLOCK_FRAMES = 96 * RNNOISE_FRAME_SAMPLES;

/** The output lags behind the input by this many frames. */
export const DELAY_FRAMES = RNNOISE_DELAY_SAMPLES + (LOOK_AHEAD_FRAMES + 1) * HOP_SAMPLES;

/**
 * Denoises channels together: RNNoise hears their mean, and all channels get the same gains, so each
 * sound keeps its place between them.
 */
export class LinkedDenoiser implements Disposable {
	readonly #rnnoise: Rnnoise;
	readonly #channels: readonly number[];
	readonly #transform = new PairedTransform();
	readonly #gains = new NoiseGains();
	/** RNNoise's output, and each channel with the same delay. Both begin with the previous hop. */
	readonly #denoised = new Float32Array(HOP_SAMPLES + BLOCK_FRAMES);
	readonly #inputs: readonly Float32Array[];
	readonly #outputs: readonly Float32Array[];
	readonly #frames: readonly Frame[];
	#frame = 0;

	private constructor(rnnoise: Rnnoise, channels: readonly number[]) {
		const forEachChannel = (length: number) => channels.map(() => new Float32Array(length));
		this.#rnnoise = rnnoise;
		this.#channels = channels;
		this.#inputs = forEachChannel(HOP_SAMPLES + RNNOISE_DELAY_SAMPLES + BLOCK_FRAMES);
		this.#outputs = forEachChannel(HOP_SAMPLES + BLOCK_FRAMES);
		// One more than the look-ahead needs: a finished spectrum may wait a hop for its pair.
		const frames = LOOK_AHEAD_FRAMES + 2;
		this.#frames = Array.from({ length: frames }, () => new Frame(channels.length));
	}

	/** @param channels which channels of the interleaved samples are denoised together. */
	static async create(channels: readonly number[]): Promise<LinkedDenoiser> {
		return new LinkedDenoiser(await Rnnoise.create(BLOCK_FRAMES), channels);
	}

	/**
	 * Denoises its channels of `BLOCK_FRAMES` interleaved frames in place, 48 kHz, full scale ±1.
	 *
	 * @param strengths of the noise reduction in each hop: 0 leaves the sound unchanged, 1 is full.
	 */
	process(block: Float32Array, strengths: Float64Array): void {
		this.#take(block);
		for (const output of this.#outputs) {
			output.copyWithin(0, BLOCK_FRAMES);
			output.fill(0, HOP_SAMPLES);
		}
		let waiting: Placed | undefined;
		for (const [hop, strength] of strengths.entries()) {
			const spectra = this.#hear(hop, strength);
			for (const [index, signal] of this.#outputs.entries()) {
				const placed = { spectrum: spectra[index], signal, start: hop * HOP_SAMPLES };
				if (waiting) this.#transform.addInverse(waiting, placed);
				waiting = waiting ? undefined : placed;
			}
		}
		this.#give(block);
	}

	#take(block: Float32Array): void {
		const step = block.length / BLOCK_FRAMES;
		const past = HOP_SAMPLES + RNNOISE_DELAY_SAMPLES;
		const mean = this.#denoised.subarray(HOP_SAMPLES);
		this.#denoised.copyWithin(0, BLOCK_FRAMES);
		mean.fill(0);
		this.#channels.forEach((channel, index) => {
			const input = this.#inputs[index];
			input.copyWithin(0, BLOCK_FRAMES);
			for (let i = 0; i < BLOCK_FRAMES; i++) {
				const sample = block[i * step + channel];
				input[past + i] = sample;
				mean[i] += sample / this.#channels.length;
			}
		});
		this.#rnnoise.process(mean, 0, 1);
	}

	/** Analyzes the next frame; returns the finished spectra of the one `LOOK_AHEAD_FRAMES` earlier. */
	#hear(hop: number, strength: number): readonly Float64Array[] {
		const { length } = this.#frames;
		const frame = this.#frames[this.#frame % length];
		const due = this.#frames[(this.#frame - LOOK_AHEAD_FRAMES + length) % length];
		const signals = [this.#denoised, ...this.#inputs];
		const spectra = [frame.denoised, ...frame.spectra];
		for (let i = 0; i < signals.length; i += 2) {
			const j = Math.min(i + 1, signals.length - 1);
			const pair = [spectra[i], i === j ? frame.unused : spectra[j]] as const;
			this.#transform.forward([signals[i], signals[j]], hop * HOP_SAMPLES, pair);
		}
		frame.measure();
		this.#gains.next(frame.power, frame.denoisedPower, due.gains);
		due.apply(strength);
		this.#frame++;
		return due.spectra;
	}

	#give(block: Float32Array): void {
		const step = block.length / BLOCK_FRAMES;
		this.#channels.forEach((channel, index) => {
			const output = this.#outputs[index];
			for (let i = 0; i < BLOCK_FRAMES; i++) block[i * step + channel] = output[i];
		});
	}

	[Symbol.dispose](): void {
		this.#rnnoise[Symbol.dispose]();
	}
}

/** One window of all channels. */
class Frame {
	readonly spectra: readonly Float64Array[];
	readonly denoised = new Float64Array(2 * BINS);
	readonly unused = new Float64Array(2 * BINS);
	readonly power = new Float64Array(BINS);
	readonly denoisedPower = new Float64Array(BINS);
	readonly gains = new Float64Array(BINS);

	constructor(channels: number) {
		this.spectra = Array.from({ length: channels }, () => new Float64Array(2 * BINS));
	}

	/** Computes the powers of the channels' mean and of RNNoise's output. */
	measure(): void {
		const { spectra, denoised, power, denoisedPower } = this;
		const share = 1 / spectra.length;
		for (let bin = 0; bin < BINS; bin++) {
			let re = 0;
			let im = 0;
			for (let channel = 0; channel < spectra.length; channel++) {
				re += share * spectra[channel][2 * bin];
				im += share * spectra[channel][2 * bin + 1];
			}
			power[bin] = re * re + im * im;
			denoisedPower[bin] = denoised[2 * bin] ** 2 + denoised[2 * bin + 1] ** 2;
		}
	}

	apply(strength: number): void {
		const { gains } = this;
		for (const spectrum of this.spectra) {
			for (let bin = 0; bin < BINS; bin++) {
				const gain = 1 - strength * (1 - gains[bin]);
				spectrum[2 * bin] *= gain;
				spectrum[2 * bin + 1] *= gain;
			}
		}
	}
}
