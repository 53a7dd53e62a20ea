import { BINS, WINDOW_SAMPLES } from '../signal/windowTransform.mts';
import { AlignedDenoiser } from './alignedDenoiser.mts';
import { BAND_EDGES_HZ } from './bandValleys.mts';
import { Gtcrn, GTCRN_DELAY_SAMPLES } from './models/gtcrn.mts';
import { BIN_HZ } from './noiseBands.mts';
import { gainOf } from './noiseGains.mts';
import { RNNOISE_RATE_HZ } from './models/rnnoise.mts';

/** GTCRN hears nothing above 8 kHz; what it keeps between these frequencies counts above too. */
const [FROM_BIN, TO_BIN] = [4_000, 7_300].map((hz) => Math.round(hz / BIN_HZ));

/**
 * How much less its opinion counts in a frame that is all speech: in a burst that is 20 dB below the voice,
 * GTCRN takes more of soft consonants than of the noise.
 */
const DOUBT_IN_SPEECH = 0.3;

/** Noise is hardly ever this many times stronger than its mean; what is stronger is a voice. */
const MOST_TIMES = 5;

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

/** What GTCRN would keep of a burst of noise. RNNoise needs a second to learn a noise, GTCRN does not. */
export class BurstOpinion implements Disposable {
	/** What GTCRN makes of each block. */
	readonly aligned: AlignedDenoiser;
	private readonly gtcrn: Gtcrn;
	private readonly kept = new Float64Array(BINS);

	private constructor(gtcrn: Gtcrn) {
		this.gtcrn = gtcrn;
		this.aligned = new AlignedDenoiser(gtcrn, GTCRN_DELAY_SAMPLES);
	}

	static async create(): Promise<BurstOpinion> {
		return new BurstOpinion(await Gtcrn.create());
	}

	/**
	 * Returns how much of each bin to keep (0.1 to 1) of the frame that is due at a hop: what GTCRN keeps, but
	 * no less than what the burst leaves.
	 *
	 * @param densities the mean square of the burst's noise in 1 Hz, in each of its bands
	 */
	of(heard: Float64Array, hop: number, densities: Float32Array): Float64Array {
		const { kept } = this;
		const powers = this.aligned.powersAt(hop, TO_BIN);
		let [before, after, highBefore, highAfter] = [TINY, 0, TINY, 0];
		for (let bin = 0; bin < TO_BIN; bin++) {
			const power = powers[bin];
			kept[bin] = gainOf(power, heard[bin] + TINY);
			before += heard[bin];
			after += power;
			if (bin < FROM_BIN) continue;
			highBefore += heard[bin];
			highAfter += power;
		}
		kept.fill(gainOf(highAfter, highBefore), TO_BIN);
		const trust = 1 - DOUBT_IN_SPEECH * gainOf(after, before);
		for (let bin = 0; bin < BINS; bin++) {
			const noise = MOST_TIMES * POWER_PER_DENSITY[bin] * densities[BAND_OF_BIN[bin]];
			kept[bin] = Math.max(kept[bin] ** trust, 1 - noise / (heard[bin] + TINY));
		}
		return kept;
	}

	[Symbol.dispose](): void {
		this.gtcrn[Symbol.dispose]();
	}
}
