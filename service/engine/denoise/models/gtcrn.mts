import { z } from 'zod';

import { wasmCall, wasmExports } from './wasmLibrary.mts';

/** Samples GTCRN takes at a time, 16 ms at 48 kHz. */
export const GTCRN_FRAME_SAMPLES = 768;

/** How many samples the output is later than the input. */
export const GTCRN_DELAY_SAMPLES = 890;

/** GTCRN (Rong et al. 2024, MIT) with its weights, 197 kB. It hears nothing above 8 kHz. */
const LIBRARY = '@sapphi-red/web-noise-suppressor/gtcrn.wasm';

/** What is used here, under the short names that the library's build gave them. */
const librarySchema = z
	.object({
		c: z.instanceof(WebAssembly.Memory),
		...{ d: wasmCall, e: wasmCall, f: wasmCall, g: wasmCall, j: wasmCall, k: wasmCall },
	})
	.transform(({ c: memory, d: start, e: create, f: free, g: destroy, j: process, k: malloc }) => {
		return { memory, start, create, free, destroy, process, malloc };
	});

type Library = z.infer<typeof librarySchema>;

let library: Promise<Library> | undefined;

async function load(): Promise<Library> {
	const fail = () => {
		throw new Error('GTCRN reported an unknown state');
	};
	// Its 17 MB are far more than a few recordings need, so they never grow.
	const exported = await wasmExports(LIBRARY, { a: { a: fail, b: () => 0 } });
	const loaded = librarySchema.parse(exported);
	loaded.start();
	return loaded;
}

/** GTCRN on one channel; it remembers what it heard until it forgets. */
export class Gtcrn implements Disposable {
	private readonly library: Library;
	private readonly input: Float32Array;
	private readonly output: Float32Array;
	private state: number;

	private constructor(loaded: Library) {
		this.library = loaded;
		const bytes = GTCRN_FRAME_SAMPLES * Float32Array.BYTES_PER_ELEMENT;
		const [input, output] = [loaded.malloc(bytes), loaded.malloc(bytes)];
		this.input = new Float32Array(loaded.memory.buffer, input, GTCRN_FRAME_SAMPLES);
		this.output = new Float32Array(loaded.memory.buffer, output, GTCRN_FRAME_SAMPLES);
		this.state = loaded.create();
		if (input * output * this.state === 0) throw new Error('GTCRN ran out of memory');
	}

	static async create(): Promise<Gtcrn> {
		library ??= load();
		return new Gtcrn(await library);
	}

	/** Denoises one channel in place, 48 kHz, full scale ±1, a multiple of 768 samples. */
	process(block: Float32Array): void {
		for (let start = 0; start < block.length; start += GTCRN_FRAME_SAMPLES) {
			const frame = block.subarray(start, start + GTCRN_FRAME_SAMPLES);
			this.input.set(frame);
			this.library.process(this.state, this.input.byteOffset, this.output.byteOffset);
			frame.set(this.output);
		}
	}

	/** Begins again, as if it had heard nothing. */
	forget(): void {
		this.library.destroy(this.state);
		this.state = this.library.create();
	}

	[Symbol.dispose](): void {
		this.library.destroy(this.state);
		this.library.free(this.input.byteOffset);
		this.library.free(this.output.byteOffset);
	}
}
