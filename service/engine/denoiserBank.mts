import { Rnnoise } from './rnnoise.mts';

/** RNNoise on several channels at once. */
export class DenoiserBank implements Disposable {
	readonly #denoisers: readonly Rnnoise[];

	private constructor(denoisers: readonly Rnnoise[]) {
		this.#denoisers = denoisers;
	}

	/** @param count one for each channel, or 1 when all channels are alike. */
	static async create(count: number): Promise<DenoiserBank> {
		return new DenoiserBank(
			await Promise.all(Array.from({ length: count }, () => Rnnoise.create())),
		);
	}

	/**
	 * Denoises interleaved samples in place, 48 kHz, full scale ±1, a multiple of 480 frames. With
	 * fewer denoisers than channels, the last one's result fills the others.
	 */
	process(block: Float32Array, channels: number): void {
		const frames = block.length / channels;
		const plane = new Float32Array(frames);
		for (let channel = 0; channel < channels; channel++) {
			if (channel < this.#denoisers.length) {
				for (let i = 0; i < frames; i++) plane[i] = block[i * channels + channel];
				this.#denoisers[channel].process(plane);
			}
			for (let i = 0; i < frames; i++) block[i * channels + channel] = plane[i];
		}
	}

	[Symbol.dispose](): void {
		for (const denoiser of this.#denoisers) denoiser[Symbol.dispose]();
	}
}
