import type { PcmFormat } from '../media/pcmFile.mts';
import { notch, RunningBiquad } from './biquad.mts';

/** What a notch takes out on both sides of a tone together: the mains are never off by more. */
export const NOTCH_HZ = 1;

/** Takes tones out of interleaved channels, without delay. */
export class Notches {
	readonly #channels: number;
	readonly #filters: readonly RunningBiquad[][];

	constructor(tonesHz: readonly number[], { channels, sampleRateHz }: PcmFormat) {
		this.#channels = channels;
		this.#filters = Array.from({ length: channels }, () =>
			tonesHz.map((hz) => new RunningBiquad(notch(hz, NOTCH_HZ, sampleRateHz))),
		);
	}

	/** Works on interleaved frames in place. */
	process(block: Float32Array): void {
		this.#filters.forEach((filters, channel) => {
			for (const filter of filters) filter.process(block, block, channel, this.#channels);
		});
	}
}
