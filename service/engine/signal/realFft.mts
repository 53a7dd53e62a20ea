import load from '@echogarden/pffft-wasm/simd';

const REAL = 0;
const FORWARD = 0;
const BACKWARD = 1;

const library = await load();

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
		this.setup = library._pffft_new_setup(samples, REAL);
		const bytes = samples * Float32Array.BYTES_PER_ELEMENT;
		const [time, spectrum, work] = [0, 0, 0].map(() => library._pffft_aligned_malloc(bytes));
		if (this.setup === 0 || work === 0) throw new RangeError(`No transform of ${samples} samples`);
		// These few lengths fit into the memory of 16 MB. It never grows, so the arrays stay where they are.
		const { buffer } = library.HEAPF32;
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
		library._pffft_transform_ordered(this.setup, from, to, this.work, direction);
	}
}
