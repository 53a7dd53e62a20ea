import { Rnnoise } from './rnnoise.mts';

/** RNNoise on several channels at once. */
export class DenoiserBank implements Disposable {
	readonly #denoisers: readonly Rnnoise[];

	private constructor(denoisers: readonly Rnnoise[]) {
		this.#denoisers = denoisers;
	}

	/**
	 * @param count one for each channel, or 1 when all channels are alike.
	 * @param mostFrames how many are given at a time at most; a multiple of 480.
	 */
	static async create(count: number, mostFrames: number): Promise<DenoiserBank> {
		return new DenoiserBank(
			await Promise.all(Array.from({ length: count }, () => Rnnoise.create(mostFrames))),
		);
	}

	/**
	 * Denoises interleaved samples in place, 48 kHz, full scale ±1, a multiple of 480 frames. With
	 * fewer denoisers than channels, the first one's result fills the others.
	 */
	process(block: Float32Array, channels: number): void {
		this.#denoisers.forEach((denoiser, channel) => {
			denoiser.process(block, channel, channels);
		});
		if (this.#denoisers.length === channels) return;
		for (let i = 0; i < block.length; i++) block[i] = block[i - (i % channels)];
	}

	[Symbol.dispose](): void {
		for (const denoiser of this.#denoisers) denoiser[Symbol.dispose]();
	}
}
