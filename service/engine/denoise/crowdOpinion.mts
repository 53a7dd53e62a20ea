import { AlignedDenoiser } from './alignedDenoiser.mts';
import { Dtln, DTLN_DELAY_SAMPLES } from './models/dtln/dtln.mts';
import { BIN_HZ } from './noiseBands.mts';
import { gainOf } from './noiseGains.mts';

/** The mean square of the speech that DTLN hears best: it knows no other level. */
const BEST_SPEECH = 0.0005;

/** The bins up to 7.5 kHz: DTLN hears nothing above 8 kHz. */
const BINS_IT_HEARS = Math.floor(7_500 / BIN_HZ);

/** Keeps the division of silence by silence finite. */
const TINY = 1e-14;

/** What DTLN would keep of a voice in a crowd, which RNNoise takes for a voice, too. */
export class CrowdOpinion {
	/** What DTLN makes of each block. */
	readonly aligned: AlignedDenoiser;

	private constructor(aligned: AlignedDenoiser) {
		this.aligned = aligned;
	}

	/** @param speech its mean square. */
	static async create(speech: number): Promise<CrowdOpinion> {
		const gain = Math.sqrt(BEST_SPEECH / speech);
		return new CrowdOpinion(new AlignedDenoiser(await Dtln.create(), DTLN_DELAY_SAMPLES, gain));
	}

	/** Returns how much to keep (0.1 to 1) of each bin up to 7.5 kHz of the frame that is due at a hop. */
	of(heard: Float64Array, hop: number): Float64Array {
		return this.aligned.powersAt(hop, BINS_IT_HEARS).map((power, bin) => {
			return gainOf(power, heard[bin] + TINY);
		});
	}
}
