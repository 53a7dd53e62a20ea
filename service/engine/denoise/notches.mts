import type { PcmFile, PcmFormat } from '../../media/pcmFile.mts';
import { notch, RunningBiquad } from '../signal/biquad.mts';

/** Width of a notch: enough for the drift of the mains, and too little to be heard in speech. */
const NOTCH_HZ = 1;

/** Notches need a second to settle. A longer loop would lose the phase of the hum. */
const HUM_LOOP_SECONDS = 2;

/** Before a passage, notches begin this much early. */
const SETTLING_SECONDS = 2;

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
	write(block: Float32Array): void {
		this.filters.forEach((filters, channel) => {
			for (const filter of filters) filter.process(block, block, channel, this.channels);
		});
	}
}

/** Returns how many frames before a passage its notches begin, so that they have settled; 0 without tones. */
export function settlingFrames(tonesHz: readonly number[], sampleRateHz: number): number {
	return tonesHz.length > 0 ? SETTLING_SECONDS * sampleRateHz : 0;
}

/**
 * Returns the length of the loop before a recording with hum, in frames. The loop has whole periods, and
 * the notches have settled when the recording begins. 0 without hum or if the recording is shorter.
 */
export function humLoopFrames(
	humHz: readonly number[],
	{ sampleRateHz, frames }: Pick<PcmFile, 'sampleRateHz' | 'frames'>,
): number {
	if (humHz.length === 0) return 0;
	const [firstHz] = humHz;
	// An even number: the first tone may be the second harmonic.
	const periods = 2 * Math.round((HUM_LOOP_SECONDS / 2) * firstHz);
	const loop = Math.round((periods / firstHz) * sampleRateHz);
	return loop <= frames ? loop : 0;
}
