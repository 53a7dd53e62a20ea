import { MonoMix } from '../../media/monoMix.mts';
import type { PcmFile } from '../../media/pcmFile.mts';
import { Notches } from '../denoise/notches.mts';
import { PATCH_SAMPLES } from '../networks/yamnet/yamnet.mts';
import { DECIMATION, Decimator } from '../signal/decimator.mts';
import { ANALYSIS_RATE_HZ } from '../signal/levels.mts';
import { STEP_SECONDS } from './heardMusic.mts';

const STEP_SAMPLES = STEP_SECONDS * ANALYSIS_RATE_HZ;

/** Steps that the surroundings of a step reach beyond it. */
export const REACH_STEPS = Math.ceil(PATCH_SAMPLES / 2 / STEP_SAMPLES - 0.5);

/** What sounds around a step, and what of it is taken away: `PATCH_SAMPLES` of each, at 16 kHz. */
export interface Moment {
	step: number;
	input: Float32Array;
	taken: Float32Array;
}

/** Mixes the channels, and keeps the last seconds of a recording and of what is taken away, at 16 kHz. */
export class Ears {
	private readonly notches: Notches;
	private readonly mix: MonoMix;
	private readonly decimators: readonly Decimator[] | undefined;
	private readonly past: readonly Float32Array[];
	private readonly channels: number;

	constructor(input: PcmFile, humHz: readonly number[]) {
		this.channels = input.channels;
		this.notches = new Notches(humHz, input);
		this.mix = new MonoMix(input);
		const isHigh = input.sampleRateHz === DECIMATION * ANALYSIS_RATE_HZ;
		this.decimators = isHigh ? [new Decimator(), new Decimator()] : undefined;
		const samples = (2 * REACH_STEPS + 1) * STEP_SAMPLES;
		this.past = [new Float32Array(samples), new Float32Array(samples)];
	}

	/** Takes the interleaved frames of the next step. @param denoised if none, all counts as taken away. */
	write(input: Float32Array, denoised?: Float32Array): void {
		this.notches.write(input);
		const mono = this.mix.mixed(input);
		const taken = denoised ? this.difference(mono, denoised) : mono;
		[mono, taken].forEach((samples, index) => {
			const past = this.past[index];
			past.copyWithin(0, STEP_SAMPLES);
			const low = this.decimators?.[index].write(samples) ?? samples;
			past.set(low, past.length - STEP_SAMPLES);
		});
	}

	/** What sounds around the middle step of those that are remembered. @param last the step that was written last. */
	moment(last: number): Moment {
		const [input, taken] = this.past.map((past) => {
			const first = Math.floor((past.length - PATCH_SAMPLES) / 2);
			return past.slice(first, first + PATCH_SAMPLES);
		});
		return { step: last - REACH_STEPS, input, taken };
	}

	private difference(mono: Float32Array, denoised: Float32Array): Float32Array {
		const { weights } = this.mix;
		const rest = new Float32Array(mono.length);
		for (let frame = 0; frame < mono.length; frame++) {
			let sample = mono[frame];
			for (let channel = 0; channel < weights.length; channel++) {
				sample -= weights[channel] * denoised[frame * this.channels + channel];
			}
			rest[frame] = sample;
		}
		return rest;
	}
}
