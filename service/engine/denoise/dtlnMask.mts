import {
	BINS,
	HOP_SAMPLES,
	newSpectrum,
	spectrumAt,
	WINDOW_SAMPLES,
} from '../signal/windowTransform.mts';
import { BAND_EDGES_HZ } from './bandValleys.mts';
import { Dtln, DTLN_DELAY_SAMPLES } from './models/dtln/dtln.mts';
import {
	RNNOISE_DELAY_SAMPLES,
	RNNOISE_FRAME_SAMPLES,
	RNNOISE_RATE_HZ,
} from './models/rnnoise.mts';
import { BIN_HZ } from './noiseBands.mts';
import { gainOf, LOOK_AHEAD_FRAMES } from './noiseGains.mts';

/** Frames per block, 0.96 s: whole frames of RNNoise and DTLN. */
export const BLOCK_FRAMES = 96 * RNNOISE_FRAME_SAMPLES;

/** The output of the noise removal is later than its input by this many frames. */
export const DELAY_FRAMES = RNNOISE_DELAY_SAMPLES + (LOOK_AHEAD_FRAMES + 1) * HOP_SAMPLES;

/** The mean square of the speech that DTLN hears best: it knows no other level. */
const BEST_SPEECH = 0.0005;

/** DTLN hears nothing above 8 kHz; what it keeps between these frequencies counts above too in a burst. */
const [FROM_BIN, TO_BIN] = [4_000, 7_500].map((hz) => Math.floor(hz / BIN_HZ));

/** Noise is hardly ever this many times stronger than its mean; what is stronger is a voice. */
const MAX_TIMES = 5;

/** Below this, which is the middle of the lowest band of a burst, its noise may become stronger as pink noise does. */
const PINK_BELOW_HZ = 350;

/** The power of each bin of a window when the mean square in 1 Hz is 1 (Parseval, root-Hann window). */
const POWER_PER_DENSITY = Float64Array.from({ length: BINS }, (_, bin) => {
	const white = (WINDOW_SAMPLES / 2) * (RNNOISE_RATE_HZ / 2);
	return white * Math.max(1, PINK_BELOW_HZ / (Math.max(1, bin) * BIN_HZ));
});

/** Which of a burst's bands each bin is in. What is below or above them is as in the nearest. */
const BAND_OF_BIN = Uint8Array.from({ length: BINS }, (_, bin) => {
	return BAND_EDGES_HZ.slice(1, -1).filter((edgeHz) => edgeHz <= bin * BIN_HZ).length;
});

/** Keeps the division of silence by silence finite. */
const TINY = 1e-14;

/**
 * What DTLN would keep of the blocks that RNNoise hears. RNNoise takes a crowd of people who talk for a voice,
 * and needs a second to learn a noise that bursts out.
 */
export class DtlnMask {
	private readonly dtln: Dtln;
	private readonly gain: number;
	/** Begins with what the frame that is due reaches back. */
	private readonly output = new Float32Array(DELAY_FRAMES - DTLN_DELAY_SAMPLES + BLOCK_FRAMES);
	private readonly spectrum = newSpectrum();
	private readonly powers = new Float64Array(TO_BIN);

	private constructor(dtln: Dtln, gain: number) {
		this.dtln = dtln;
		this.gain = gain;
	}

	/** @param speech its mean square. */
	static async create(speech: number): Promise<DtlnMask> {
		return new DtlnMask(await Dtln.create(), Math.sqrt(BEST_SPEECH / speech));
	}

	/** Writes the next block, or none: then blocks are left out before the next one, and it forgets. */
	write(block: Float32Array | undefined): void {
		if (!block) {
			this.dtln.forget();
			return;
		}
		this.output.copyWithin(0, BLOCK_FRAMES);
		const next = this.output.subarray(-BLOCK_FRAMES);
		for (let i = 0; i < BLOCK_FRAMES; i++) next[i] = this.gain * block[i];
		this.dtln.process(next);
	}

	/**
	 * Returns how much to keep (0.1 to 1) of each bin up to 7.5 kHz of the frame that is due at a hop.
	 *
	 * @param inputPowers the powers of the frame's bins before.
	 */
	inCrowd(inputPowers: Float64Array, hop: number): Float64Array {
		return this.powersAt(hop).map((power, bin) => gainOf(power, inputPowers[bin] + TINY));
	}

	/**
	 * Returns how much to keep (0.1 to 1) of each bin of that frame: what DTLN keeps, but no less than what the
	 * burst leaves.
	 *
	 * @param densities the mean square of the burst's noise in 1 Hz, in each of its bands.
	 */
	inBurst(inputPowers: Float64Array, hop: number, densities: Float32Array): Float64Array {
		const powers = this.powersAt(hop);
		const sum = (list: Float64Array) =>
			list.subarray(FROM_BIN, TO_BIN).reduce((total, power) => total + power, TINY);
		const above = gainOf(sum(powers), sum(inputPowers));
		return inputPowers.map((power, bin) => {
			const kept = bin < TO_BIN ? gainOf(powers[bin], power + TINY) : above;
			const noise = MAX_TIMES * POWER_PER_DENSITY[bin] * densities[BAND_OF_BIN[bin]];
			return Math.max(kept, 1 - noise / (power + TINY));
		});
	}

	/** The powers of the bins that DTLN hears of the frame that is due at a hop, as DTLN left it. */
	private powersAt(hop: number): Float64Array {
		const { spectrum, powers } = this;
		spectrumAt(this.output, hop * HOP_SAMPLES, spectrum);
		const perGain = 1 / this.gain ** 2;
		for (let bin = 0; bin < TO_BIN; bin++) {
			powers[bin] = (spectrum[2 * bin] ** 2 + spectrum[2 * bin + 1] ** 2) * perGain;
		}
		return powers;
	}
}
