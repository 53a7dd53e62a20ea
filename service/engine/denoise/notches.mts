import type { PcmFormat } from '../../media/pcmFile.mts';
import { notch, RunningBiquad } from '../signal/biquad.mts';

/** Width of a notch: enough for the drift of the mains, and too little to be heard in speech. */
export const NOTCH_HZ = 1;

/** Removes tones from interleaved channels, without delay. */
export class Notches {
	private readonly channels: number;
	private readonly filters: readonly RunningBiquad[][];

	constructor(tonesHz: readonly number[], { channels, sampleRateHz }: PcmFormat) {
		this.channels = channels;
		this.filters = Array.from({ length: channels }, () =>
			tonesHz.map((hz) => new RunningBiquad(notch(hz, NOTCH_HZ, sampleRateHz))),
		);
	}

	/** Filters interleaved frames in place. */
	take(block: Float32Array): void {
		this.filters.forEach((filters, channel) => {
			for (const filter of filters) filter.process(block, block, channel, this.channels);
		});
	}
}
