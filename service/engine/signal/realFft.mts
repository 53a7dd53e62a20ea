import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { z } from 'zod';

import { wasmCall } from './wasmCall.mts';

const REAL = 0;
const FORWARD = 0;
const BACKWARD = 1;

/** The functions of pffft.h that we call, under the names of version 0.4.2, which package.json pins. */
const librarySchema = z
	.object({
		d: z.instanceof(WebAssembly.Memory),
		e: wasmCall,
		f: wasmCall,
		k: wasmCall,
		p: wasmCall,
	})
	.transform(({ d, e, f, k, p }) => ({
		memory: d,
		begin: e,
		alignedMalloc: f,
		newSetup: k,
		transformOrdered: p,
	}));

/**
 * Loads the library at once. The package's own loader needs a top-level await, and Node ends the process if a
 * thread is ended while it waits in one (nodejs/node#53238).
 */
function load() {
	const folder = dirname(createRequire(import.meta.url).resolve('@echogarden/pffft-wasm/simd'));
	const code = new WebAssembly.Module(readFileSync(join(folder, 'pffft.wasm')));
	const room: { memory?: WebAssembly.Memory } = {};
	const { exports } = new WebAssembly.Instance(code, {
		a: {
			a: () => {
				throw new Error('PFFFT reported an unknown state');
			},
			// Its 16 MB are more than enough, so it does not grow.
			b: () => 0,
			c: (target, source, bytes) => {
				if (room.memory) {
					new Uint8Array(room.memory.buffer).copyWithin(target, source, source + bytes);
				}
				return 0;
			},
		},
	});
	const loaded = librarySchema.parse(exports);
	room.memory = loaded.memory;
	loaded.begin();
	return loaded;
}

const library = load();

const known = new Map<number, RealFft>();

/**
 * Returns the transform of real signals of one length: a multiple of 32 without prime factors above 5. All users
 * of a length share it, so write its input and take its result at once.
 */
export function realFft(samples: number): RealFft {
	const fft = known.get(samples) ?? new RealFft(samples);
	known.set(samples, fft);
	return fft;
}

/** Transforms between its two arrays, which lie in the library's memory. */
export class RealFft {
	readonly time: Float32Array;
	/** Real parts of frequency 0 and of half the sample rate, then real and imaginary parts in turn. */
	readonly spectrum: Float32Array;
	private readonly setup: number;
	private readonly work: number;

	constructor(samples: number) {
		this.setup = library.newSetup(samples, REAL);
		const bytes = samples * Float32Array.BYTES_PER_ELEMENT;
		const [time, spectrum, work] = [0, 0, 0].map(() => library.alignedMalloc(bytes));
		if (this.setup === 0 || work === 0) throw new RangeError(`No transform of ${samples} samples`);
		// These few lengths fit into the memory of 16 MB. It never grows, so the arrays stay where they are.
		const { buffer } = library.memory;
		this.time = new Float32Array(buffer, time, samples);
		this.spectrum = new Float32Array(buffer, spectrum, samples);
		this.work = work;
	}

	/** Computes the spectrum of `time`, unscaled. */
	forward(): void {
		this.transform(this.time, this.spectrum, FORWARD);
	}

	/** Computes the signal of `spectrum`, times its length. */
	inverse(): void {
		this.transform(this.spectrum, this.time, BACKWARD);
	}

	private transform(input: Float32Array, output: Float32Array, direction: number): void {
		const [from, to] = [input.byteOffset, output.byteOffset];
		library.transformOrdered(this.setup, from, to, this.work, direction);
	}
}
