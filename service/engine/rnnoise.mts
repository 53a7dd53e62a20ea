import load, { type RnnoiseModule } from '@echogarden/rnnoise-wasm';

/** RNNoise knows this rate only. */
export const RNNOISE_RATE_HZ = 48_000;

/** Samples RNNoise takes at a time, 10 ms. */
export const RNNOISE_FRAME_SAMPLES = 480;

/** What comes out belongs to what went in this many samples before. */
export const RNNOISE_DELAY_SAMPLES = 480;

/** RNNoise expects samples in the range of 16-bit integers. */
const FULL_SCALE = 32_768;

let library: Promise<RnnoiseModule> | undefined;

/** RNNoise on one channel; it remembers what it heard, so the samples come in order. */
export class Rnnoise implements Disposable {
	readonly #module: RnnoiseModule;
	readonly #state: number;
	readonly #buffer: number;

	private constructor(module: RnnoiseModule) {
		this.#module = module;
		this.#state = module._rnnoise_create(0);
		this.#buffer = module._malloc(RNNOISE_FRAME_SAMPLES * Float32Array.BYTES_PER_ELEMENT);
	}

	static async create(): Promise<Rnnoise> {
		library ??= load();
		return new Rnnoise(await library);
	}

	/** Denoises samples in place, 48 kHz, full scale ±1; their number is a multiple of 480. */
	process(samples: Float32Array): void {
		const start = this.#buffer / Float32Array.BYTES_PER_ELEMENT;
		for (let offset = 0; offset < samples.length; offset += RNNOISE_FRAME_SAMPLES) {
			const heap = this.#module.HEAPF32;
			for (let i = 0; i < RNNOISE_FRAME_SAMPLES; i++) {
				heap[start + i] = samples[offset + i] * FULL_SCALE;
			}
			this.#module._rnnoise_process_frame(this.#state, this.#buffer, this.#buffer);
			for (let i = 0; i < RNNOISE_FRAME_SAMPLES; i++) {
				samples[offset + i] = heap[start + i] / FULL_SCALE;
			}
		}
	}

	[Symbol.dispose](): void {
		this.#module._rnnoise_destroy(this.#state);
		this.#module._free(this.#buffer);
	}
}
