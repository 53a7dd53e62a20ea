import { MonoMix } from '../../media/monoMix.mts';
import type { PcmFormat } from '../../media/pcmFile.mts';

/** Cuts the sum of all channels, thinned to about a lower rate, into windows. */
export class MonoWindows {
	/** Frames that are added up to a sample. */
	readonly thinning: number;
	private readonly channels: number;
	private readonly mix: MonoMix;
	private readonly window: Float32Array;
	private readonly stepSamples: number;
	private filled = 0;
	private sum = 0;
	private frame = 0;

	/** @param stepSamples how much later the next window begins. */
	constructor(format: PcmFormat, rateHz: number, windowSamples: number, stepSamples: number) {
		this.channels = format.channels;
		this.mix = new MonoMix(format);
		this.thinning = Math.max(1, Math.round(format.sampleRateHz / rateHz));
		this.window = new Float32Array(windowSamples);
		this.stepSamples = stepSamples;
	}

	/** Takes interleaved frames, and yields the windows that they complete; each overwrites the one before. */
	*write(chunk: Float32Array): Generator<Float32Array> {
		const { window } = this;
		const mono = this.mix.mixed(chunk);
		for (let start = 0; start < mono.length; ) {
			const rest = this.thinning - (this.frame % this.thinning);
			const end = Math.min(mono.length, start + rest);
			for (let i = start; i < end; i++) this.sum += this.channels * mono[i];
			this.frame += end - start;
			start = end;
			if (this.frame % this.thinning !== 0) continue;
			window[this.filled] = this.sum;
			this.filled++;
			this.sum = 0;
			if (this.filled < window.length) continue;
			yield window;
			window.copyWithin(0, this.stepSamples);
			this.filled = window.length - this.stepSamples;
		}
	}
}
