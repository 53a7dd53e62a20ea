/** The two filters of ITU-R BS.1770 in analogue form, to support any sample rate. */
const SHELF = { frequencyHz: 1_681.974450955533, gainDb: 3.999843853973347, q: 0.7071752369554196 };
const HIGH_PASS = { frequencyHz: 38.13547087602444, q: 0.5003270373238773 };

/** Exponent from the shelf's gain to its middle gain. */
const SHELF_EXPONENT = 0.4996667741545416;

/**
 * Weight of each channel, by number of channels, in the layouts ffmpeg assumes for raw audio.
 * Surround channels count more; the bass channel does not count.
 */
const CHANNEL_WEIGHTS: readonly (readonly number[])[] = [
	[1],
	[1, 1],
	[1, 1, 0],
	[1, 1, 1, 1.41],
	[1, 1, 1, 1.41, 1.41],
	[1, 1, 1, 0, 1.41, 1.41],
	[1, 1, 1, 0, 1.41, 1.41, 1.41],
	[1, 1, 1, 0, 1.41, 1.41, 1.41, 1.41],
];

/** The weight of a channel in the sum of energies. */
export function channelWeight(channel: number, channels: number): number {
	return CHANNEL_WEIGHTS.at(channels - 1)?.at(channel) ?? 1;
}

/** Second-order filter: b0, b1, b2, a1, a2, with a0 = 1. */
type Coefficients = readonly [number, number, number, number, number];

/** The K-weighting of ITU-R BS.1770, which models the ear, for one channel. */
export class KWeighting {
	private readonly shelf: Coefficients;
	private readonly highPass: Coefficients;
	/** Two states per filter. */
	private readonly memory = new Float64Array(4);

	constructor(sampleRateHz: number) {
		this.shelf = shelfAt(sampleRateHz);
		this.highPass = highPassAt(sampleRateHz);
	}

	/** The weighted energy of every `step`th sample from `start` up to `end`. */
	energyOf(samples: Float32Array, start: number, end: number, step: number): number {
		const [b0, b1, b2, a1, a2] = this.shelf;
		const [, , , c1, c2] = this.highPass;
		let [s1, s2, h1, h2] = this.memory;
		let energy = 0;
		for (let i = start; i < end; i += step) {
			const x = samples[i];
			const shelved = b0 * x + s1;
			s1 = b1 * x - a1 * shelved + s2;
			s2 = b2 * x - a2 * shelved;
			// The numerator of the high pass is 1, -2, 1.
			const y = shelved + h1;
			h1 = -2 * shelved - c1 * y + h2;
			h2 = shelved - c2 * y;
			energy += y * y;
		}
		this.memory.set([s1, s2, h1, h2]);
		return energy;
	}
}

function shelfAt(sampleRateHz: number): Coefficients {
	const k = Math.tan((Math.PI * SHELF.frequencyHz) / sampleRateHz);
	const high = 10 ** (SHELF.gainDb / 20);
	const middle = high ** SHELF_EXPONENT;
	const a0 = 1 + k / SHELF.q + k * k;
	return [
		(high + (middle * k) / SHELF.q + k * k) / a0,
		(2 * (k * k - high)) / a0,
		(high - (middle * k) / SHELF.q + k * k) / a0,
		(2 * (k * k - 1)) / a0,
		(1 - k / SHELF.q + k * k) / a0,
	];
}

function highPassAt(sampleRateHz: number): Coefficients {
	const k = Math.tan((Math.PI * HIGH_PASS.frequencyHz) / sampleRateHz);
	const a0 = 1 + k / HIGH_PASS.q + k * k;
	return [1, -2, 1, (2 * (k * k - 1)) / a0, (1 - k / HIGH_PASS.q + k * k) / a0];
}
