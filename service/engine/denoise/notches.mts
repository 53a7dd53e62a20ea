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
	private readonly left: number;
	private readonly filters: readonly RunningBiquad[][];
	private untouched = new Float32Array();

	/** @param left what is left of the tones, as a share of their amplitude; the less, the longer a voice rings after them */
	constructor(tonesHz: readonly number[], { channels, sampleRateHz }: PcmFormat, left = 0) {
		this.channels = channels;
		this.left = left;
		this.filters = Array.from({ length: channels }, () =>
			tonesHz.map((hz) => new RunningBiquad(notch(hz, NOTCH_HZ, sampleRateHz))),
		);
	}

	/** Filters interleaved frames in place. */
	write(block: Float32Array): void {
		const { left } = this;
		if (left > 0) this.keep(block);
		this.filters.forEach((filters, channel) => {
			for (const filter of filters) filter.process(block, block, channel, this.channels);
		});
		if (left === 0) return;
		for (let i = 0; i < block.length; i++) {
			block[i] = left * this.untouched[i] + (1 - left) * block[i];
		}
	}

	private keep(block: Float32Array): void {
		if (this.untouched.length < block.length) this.untouched = new Float32Array(block.length);
		this.untouched.set(block);
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
