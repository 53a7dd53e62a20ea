import { HOP_SAMPLES, newSpectrum, spectrumAt } from '../signal/windowTransform.mts';
import { RNNOISE_DELAY_SAMPLES } from './models/rnnoise.mts';

/** A denoiser of one channel that remembers what it heard until it forgets. */
interface Denoiser {
	/** Denoises a block in place. */
	process(block: Float32Array): void;
	forget(): void;
}

/** What another denoiser makes of the blocks that RNNoise hears, in step with the frames that are due. */
export class AlignedDenoiser {
	private readonly denoiser: Denoiser;
	private readonly blockFrames: number;
	private readonly gain: number;
	/** Begins with what the frame that is due reaches back. */
	private readonly output: Float32Array;
	private readonly spectrum = newSpectrum();
	private knows = false;

	/**
	 * @param delaySamples how much later the denoiser's output is than its input.
	 * @param lookAheadFrames how much later than RNNoise's output the gains are decided.
	 * @param gain how much louder than the blocks it hears them.
	 */
	constructor(
		denoiser: Denoiser,
		delaySamples: number,
		blockFrames: number,
		lookAheadFrames: number,
		gain = 1,
	) {
		this.gain = gain;
		this.denoiser = denoiser;
		this.blockFrames = blockFrames;
		const delay = RNNOISE_DELAY_SAMPLES + (lookAheadFrames + 1) * HOP_SAMPLES;
		this.output = new Float32Array(delay - delaySamples + blockFrames);
	}

	/** Hears the next block, or none: then blocks lie between what it heard and what it will hear, and it forgets. */
	hear(block: Float32Array | undefined): void {
		if (!block) {
			if (this.knows) this.denoiser.forget();
			this.knows = false;
			return;
		}
		this.output.copyWithin(0, this.blockFrames);
		const next = this.output.subarray(this.output.length - this.blockFrames);
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
