import type { PcmFormat } from '../../media/pcmFile.mts';
import { interSamplePeak, PEAK_TAPS } from './interSamplePeak.mts';
import { SlidingMinimum } from './slidingMinimum.mts';

/** Settings of the limiter. */
export interface LimiterSettings {
	/** Gain before the limiter, as a factor. */
	gain: number;
	/** Maximum true peak, full scale 1. */
	ceiling: number;
	/** Time constant of the release after a peak. */
	releaseSeconds: number;
}

/** The gain starts to fall this long before a peak, in seconds: slowly enough not to click. */
const LOOK_AHEAD_SECONDS = 0.005;

/** Above this gain, the release is complete. */
const RELEASED = 0.999_99;

/** The limiter is idle after this many quiet steps, each as long as the look-ahead. */
const IDLE_STEPS = 4;

/**
 * Between two samples below this fraction of the ceiling, no peak exceeds it: even a full-scale
 * sine is at least 0.7 at its samples.
 */
const SAFE_FRACTION = 0.65;

/**
 * Applies a gain and keeps true peaks below a ceiling, linked across channels. Works in blocks with
 * a delay of `delayFrames`; `flush` returns the remaining frames.
 */
export class TruePeakLimiter {
	readonly delayFrames: number;
	private readonly settings: LimiterSettings;
	private readonly channels: number;
	private readonly lookAhead: number;
	private readonly releaseStep: number;
	private readonly delayed: Float32Array;
	private readonly history: Float32Array[];
	private readonly minimum: SlidingMinimum;
	private readonly ramp: Float64Array;
	private rampSum: number;
	private released = 1;
	private idleSteps = 0;
	private frame = 0;

	constructor(settings: LimiterSettings, { sampleRateHz, channels }: PcmFormat) {
		this.settings = settings;
		this.channels = channels;
		this.lookAhead = Math.round(LOOK_AHEAD_SECONDS * sampleRateHz);
		this.releaseStep = 1 - Math.exp(-1 / (settings.releaseSeconds * sampleRateHz));
		// A peak next to a sample is known only when half the taps after it have arrived.
		this.delayFrames = this.lookAhead + PEAK_TAPS;
		this.delayed = new Float32Array(this.delayFrames * channels);
		this.history = Array.from({ length: channels }, () => new Float32Array(2 * PEAK_TAPS));
		this.minimum = new SlidingMinimum(this.delayFrames + 2);
		this.ramp = new Float64Array(this.lookAhead).fill(1);
		this.rampSum = this.lookAhead;
	}

	/** Takes interleaved frames and returns as many, delayed by `delayFrames`. */
	process(block: Float32Array): Float32Array {
		const output = new Float32Array(block.length);
		const stepSamples = this.lookAhead * this.channels;
		for (let start = 0; start < block.length; start += stepSamples) {
			const end = Math.min(block.length, start + stepSamples);
			const isSafe = this.isSafe(block, start, end);
			if (isSafe && this.idleSteps >= IDLE_STEPS) this.delay(block, start, end, output);
			else this.limit(block, start, end, output, isSafe);
			this.idleSteps = isSafe && this.released > RELEASED ? this.idleSteps + 1 : 0;
		}
		return output;
	}

	/** True if no true peak can exceed the ceiling. */
	private isSafe(block: Float32Array, start: number, end: number): boolean {
		const limit = (this.settings.ceiling * SAFE_FRACTION) / this.settings.gain;
		for (let i = start; i < end; i++) {
			if (block[i] > limit || block[i] < -limit) return false;
		}
		return true;
	}

	/** Applies only the gain: neither these frames nor the delayed ones need limiting. */
	private delay(block: Float32Array, start: number, end: number, output: Float32Array): void {
		const { gain } = this.settings;
		const delayed = this.delayed;
		let slot = (this.frame % this.delayFrames) * this.channels;
		for (let i = start; i < end; i++) {
			output[i] = delayed[slot];
			delayed[slot] = block[i] * gain;
			slot = slot + 1 === delayed.length ? 0 : slot + 1;
		}
		this.frame += (end - start) / this.channels;
		this.rememberLast();
	}

	/** Stores the last samples as `peakOf` would have. */
	private rememberLast(): void {
		for (let frame = Math.max(0, this.frame - PEAK_TAPS); frame < this.frame; frame++) {
			const slot = (frame % this.delayFrames) * this.channels;
			this.history.forEach((history, channel) => {
				const sample = this.delayed[slot + channel];
				history[frame % PEAK_TAPS] = sample;
				history[(frame % PEAK_TAPS) + PEAK_TAPS] = sample;
			});
		}
	}

	/** Measures each frame's peak and lowers the gain before it. */
	private limit(
		block: Float32Array,
		start: number,
		end: number,
		output: Float32Array,
		isSafe: boolean,
	): void {
		const channels = this.channels;
		const delayed = this.delayed;
		const inputGain = this.settings.gain;
		let slot = (this.frame % this.delayFrames) * channels;
		let tap = this.frame % PEAK_TAPS;
		let rampSlot = this.frame % this.lookAhead;
		// Where no peak can come, only those between the samples before are looked for.
		const watched = isSafe ? start + PEAK_TAPS * channels : end;
		for (let offset = start; offset < end; offset += channels) {
			const peak = offset < watched ? this.peakOf(block, offset, tap) : 0;
			const gain = this.gainFor(peak, rampSlot);
			for (let channel = 0; channel < channels; channel++) {
				output[offset + channel] = delayed[slot + channel] * gain;
				delayed[slot + channel] = block[offset + channel] * inputGain;
			}
			slot = slot + channels === delayed.length ? 0 : slot + channels;
			tap = tap + 1 === PEAK_TAPS ? 0 : tap + 1;
			rampSlot = rampSlot + 1 === this.lookAhead ? 0 : rampSlot + 1;
		}
		this.frame += (end - start) / channels;
		if (isSafe) this.rememberLast();
	}

	/** The last `delayFrames` frames. */
	flush(): Float32Array {
		return this.process(new Float32Array(this.delayFrames * this.channels));
	}

	/** The highest true peak of any channel, up to half the taps before this frame. */
	private peakOf(block: Float32Array, offset: number, slot: number): number {
		const { gain, ceiling } = this.settings;
		let highest = 0;
		for (let channel = 0; channel < this.channels; channel++) {
			const sample = block[offset + channel] * gain;
			const history = this.history[channel];
			// Stored twice, so that the last taps are always contiguous.
			history[slot] = sample;
			history[slot + PEAK_TAPS] = sample;
			highest = Math.max(highest, Math.abs(sample));
			const middle = slot + PEAK_TAPS / 2;
			const beside = Math.max(Math.abs(history[middle]), Math.abs(history[middle + 1]));
			if (beside > ceiling * SAFE_FRACTION) {
				highest = Math.max(highest, interSamplePeak(history, slot + 1));
			}
		}
		return highest;
	}

	/** The gain for the frame output now: it ramps down before a peak and recovers gently. */
	private gainFor(peak: number, slot: number): number {
		const { ceiling } = this.settings;
		const wanted = peak > ceiling ? ceiling / peak : 1;
		const held = this.minimum.push(wanted);
		this.released =
			held < this.released ? held : this.released + (held - this.released) * this.releaseStep;
		this.rampSum += this.released - this.ramp[slot];
		this.ramp[slot] = this.released;
		return this.rampSum / this.lookAhead;
	}
}
