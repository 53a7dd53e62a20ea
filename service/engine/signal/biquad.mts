/** A second-order filter with a0 = 1. */
export interface Biquad {
	b0: number;
	b1: number;
	b2: number;
	a1: number;
	a2: number;
}

/** Attenuates everything below a frequency, 12 dB per octave. */
export function highPass(frequencyHz: number, sampleRateHz: number): Biquad {
	const { cos, alpha } = angles(frequencyHz, Math.SQRT1_2, sampleRateHz);
	const a0 = 1 + alpha;
	const b = (1 + cos) / 2 / a0;
	return { b0: b, b1: -2 * b, b2: b, a1: (-2 * cos) / a0, a2: (1 - alpha) / a0 };
}

/** Attenuates everything above a frequency, 12 dB per octave. */
export function lowPass(frequencyHz: number, sampleRateHz: number): Biquad {
	const { cos, alpha } = angles(frequencyHz, Math.SQRT1_2, sampleRateHz);
	const a0 = 1 + alpha;
	const b = (1 - cos) / 2 / a0;
	return { b0: b, b1: 2 * b, b2: b, a1: (-2 * cos) / a0, a2: (1 - alpha) / a0 };
}

/** Passes a band, with a gain of 1 at its center. */
export function bandPass(frequencyHz: number, q: number, sampleRateHz: number): Biquad {
	const { cos, alpha } = angles(frequencyHz, q, sampleRateHz);
	const a0 = 1 + alpha;
	return { b0: alpha / a0, b1: 0, b2: -alpha / a0, a1: (-2 * cos) / a0, a2: (1 - alpha) / a0 };
}

/** Removes a tone; half the width away from it, the attenuation is 3 dB. */
export function notch(frequencyHz: number, widthHz: number, sampleRateHz: number): Biquad {
	const { cos, alpha } = angles(frequencyHz, frequencyHz / widthHz, sampleRateHz);
	const a0 = 1 + alpha;
	return { b0: 1 / a0, b1: (-2 * cos) / a0, b2: 1 / a0, a1: (-2 * cos) / a0, a2: (1 - alpha) / a0 };
}

/** Raises or lowers a band by `gainDb` at its center. */
export function peaking(
	frequencyHz: number,
	q: number,
	gainDb: number,
	sampleRateHz: number,
): Biquad {
	const { cos, alpha } = angles(frequencyHz, q, sampleRateHz);
	const amplitude = 10 ** (gainDb / 40);
	const a0 = 1 + alpha / amplitude;
	return {
		b0: (1 + alpha * amplitude) / a0,
		b1: (-2 * cos) / a0,
		b2: (1 - alpha * amplitude) / a0,
		a1: (-2 * cos) / a0,
		a2: (1 - alpha / amplitude) / a0,
	};
}

/** Raises or lowers all below a frequency by `gainDb`, by half of it there. */
export function lowShelf(frequencyHz: number, gainDb: number, sampleRateHz: number): Biquad {
	return shelf(frequencyHz, gainDb, sampleRateHz, -1);
}

/** Raises or lowers all above a frequency by `gainDb`, by half of it there. */
export function highShelf(frequencyHz: number, gainDb: number, sampleRateHz: number): Biquad {
	return shelf(frequencyHz, gainDb, sampleRateHz, 1);
}

/** @param side 1 for what is above the frequency, -1 for what is below. */
function shelf(frequencyHz: number, gainDb: number, sampleRateHz: number, side: 1 | -1): Biquad {
	const { cos, alpha } = angles(frequencyHz, Math.SQRT1_2, sampleRateHz);
	const a = 10 ** (gainDb / 40);
	const [up, down] = [a + 1, side * (a - 1)];
	const slope = 2 * Math.sqrt(a) * alpha;
	const a0 = up - down * cos + slope;
	return {
		b0: (a * (up + down * cos + slope)) / a0,
		b1: (-2 * a * (down + up * cos)) / a0,
		b2: (a * (up + down * cos - slope)) / a0,
		a1: (2 * (down - up * cos)) / a0,
		a2: (up - down * cos - slope) / a0,
	};
}

/** The gain of a filter at a frequency, in dB. */
export function gainDbAt(filter: Biquad, frequencyHz: number, sampleRateHz: number): number {
	const w = (2 * Math.PI * frequencyHz) / sampleRateHz;
	const { b0, b1, b2, a1, a2 } = filter;
	const power = (c0: number, c1: number, c2: number) =>
		(c0 + c1 * Math.cos(w) + c2 * Math.cos(2 * w)) ** 2 +
		(c1 * Math.sin(w) + c2 * Math.sin(2 * w)) ** 2;
	return 10 * Math.log10(power(b0, b1, b2) / power(1, a1, a2));
}

/** Applies a filter to one channel of interleaved samples. */
export class RunningBiquad {
	private readonly filter: Biquad;
	private memory1 = 0;
	private memory2 = 0;

	constructor(filter: Biquad) {
		this.filter = filter;
	}

	/** Filters every `step`th sample from `start` on, into `output`, which may be the input. */
	process(input: Float32Array, output: Float32Array, start: number, step: number): void {
		const { b0, b1, b2, a1, a2 } = this.filter;
		let [m1, m2] = [this.memory1, this.memory2];
		for (let i = start; i < input.length; i += step) {
			const x = input[i];
			const y = b0 * x + m1;
			m1 = b1 * x - a1 * y + m2;
			m2 = b2 * x - a2 * y;
			output[i] = y;
		}
		this.memory1 = m1;
		this.memory2 = m2;
	}
}

function angles(frequencyHz: number, q: number, sampleRateHz: number) {
	const w = (2 * Math.PI * frequencyHz) / sampleRateHz;
	return { cos: Math.cos(w), alpha: Math.sin(w) / (2 * q) };
}
