import { HOP_SAMPLES, newSpectrum, spectrumAt } from '../signal/windowTransform.mts';
import { RNNOISE_DELAY_SAMPLES, RNNOISE_FRAME_SAMPLES } from './models/rnnoise.mts';
import { LOOK_AHEAD_FRAMES } from './noiseGains.mts';

/** Frames per block, 0.96 s: whole frames of RNNoise, GTCRN and DTLN. */
export const BLOCK_FRAMES = 96 * RNNOISE_FRAME_SAMPLES;

/** The output of the noise removal is later than its input by this many frames. */
export const DELAY_FRAMES = RNNOISE_DELAY_SAMPLES + (LOOK_AHEAD_FRAMES + 1) * HOP_SAMPLES;

/** A denoiser of one channel that remembers what it heard until it forgets. */
interface Denoiser {
	/** Denoises a block in place. */
	process(block: Float32Array): void;
	forget(): void;
}

/** What another denoiser makes of the blocks that RNNoise hears, in step with the frames that are due. */
export class AlignedDenoiser {
	private readonly denoiser: Denoiser;
	private readonly gain: number;
	/** Begins with what the frame that is due reaches back. */
	private readonly output: Float32Array;
	private readonly spectrum = newSpectrum();
	private knows = false;

	/**
	 * @param delaySamples how much later the denoiser's output is than its input.
	 * @param gain how much louder than the blocks it hears them.
	 */
	constructor(denoiser: Denoiser, delaySamples: number, gain = 1) {
		this.denoiser = denoiser;
		this.gain = gain;
		this.output = new Float32Array(DELAY_FRAMES - delaySamples + BLOCK_FRAMES);
	}

	/** Hears the next block, or none: then blocks lie between what it heard and what it will hear, and it forgets. */
	hear(block: Float32Array | undefined): void {
		if (!block) {
			if (this.knows) this.denoiser.forget();
			this.knows = false;
			return;
		}
		this.output.copyWithin(0, BLOCK_FRAMES);
		const next = this.output.subarray(-BLOCK_FRAMES);
		next.set(block.map((sample) => this.gain * sample));
		this.denoiser.process(next);
		this.knows = true;
	}

	/** Returns the powers of the first bins of the frame that is due at a hop, as the denoiser left it. */
	powersAt(hop: number, bins: number): Float64Array {
		const { spectrum, gain } = this;
		spectrumAt(this.output, hop * HOP_SAMPLES, spectrum);
		return Float64Array.from({ length: bins }, (_, bin) => {
			return (spectrum[2 * bin] ** 2 + spectrum[2 * bin + 1] ** 2) / gain ** 2;
		});
	}
}
