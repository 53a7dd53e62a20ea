import { z } from 'zod';

import { wasmCall } from '../../signal/wasmCall.mts';
import { wasmExports } from './wasmLibrary.mts';

/** RNNoise knows this rate only. */
export const RNNOISE_RATE_HZ = 48_000;

/** Samples RNNoise takes at a time, 10 ms. */
export const RNNOISE_FRAME_SAMPLES = 480;

/** How many samples the output is later than the input. */
export const RNNOISE_DELAY_SAMPLES = 480;

/** RNNoise expects samples in the range of 16-bit integers. */
const FULL_SCALE = 32_768;

/** RNNoise compiled for the vector unit; it takes two thirds of the time of the plain build. */
const LIBRARY = '@sapphi-red/web-noise-suppressor/rnnoise_simd.wasm';

/** The functions of rnnoise.h that are called here. */
const librarySchema = z.object({
	memory: z.instanceof(WebAssembly.Memory),
	__wasm_call_ctors: wasmCall,
	malloc: wasmCall,
	free: wasmCall,
	rnnoise_create: wasmCall,
	rnnoise_destroy: wasmCall,
	rnnoise_process_frame: wasmCall,
});

type Library = z.infer<typeof librarySchema>;

let library: Promise<Library> | undefined;

async function load(): Promise<Library> {
	const room: { memory?: WebAssembly.Memory } = {};
	const exported = await wasmExports(LIBRARY, {
		env: {
			emscripten_memcpy_big: (target, source, length) => {
				if (room.memory) {
					new Uint8Array(room.memory.buffer).copyWithin(target, source, source + length);
				}
				return target;
			},
			// Its 16 MB are far more than a few channels need.
			emscripten_resize_heap: () => 0,
			__assert_fail: () => {
				throw new Error('RNNoise reported an unknown state');
			},
		},
	});
	const loaded = librarySchema.parse(exported);
	room.memory = loaded.memory;
	loaded.__wasm_call_ctors();
	return loaded;
}

/** RNNoise on one channel; it remembers what it heard, so the samples come in order. */
export class Rnnoise implements Disposable {
	private readonly library: Library;
	private readonly state: number;
	private readonly buffer: number;
	private readonly samples: Float32Array;

	private constructor(loaded: Library, maxSamples: number) {
		this.library = loaded;
		this.state = loaded.rnnoise_create(0);
		this.buffer = loaded.malloc(maxSamples * Float32Array.BYTES_PER_ELEMENT);
		if (this.buffer === 0) throw new Error('RNNoise ran out of memory');
		this.samples = new Float32Array(loaded.memory.buffer, this.buffer, maxSamples);
	}

	/** @param maxSamples how many are given at a time at most; a multiple of 480. */
	static async create(maxSamples: number): Promise<Rnnoise> {
		library ??= load();
		return new Rnnoise(await library, maxSamples);
	}

	/** Denoises one channel in place, 48 kHz, full scale ±1, a multiple of 480 samples. */
	process(block: Float32Array): void {
		const samples = this.samples;
		for (let i = 0; i < block.length; i++) samples[i] = block[i] * FULL_SCALE;
		for (let offset = 0; offset < block.length; offset += RNNOISE_FRAME_SAMPLES) {
			const pointer = this.buffer + offset * Float32Array.BYTES_PER_ELEMENT;
			this.library.rnnoise_process_frame(this.state, pointer, pointer);
		}
		for (let i = 0; i < block.length; i++) block[i] = samples[i] / FULL_SCALE;
	}

	[Symbol.dispose](): void {
		this.library.rnnoise_destroy(this.state);
		this.library.free(this.buffer);
	}
}
