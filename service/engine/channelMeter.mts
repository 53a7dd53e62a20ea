import type { PcmFile } from '../media/pcmFile.mts';
import { highPass, RunningBiquad } from './biquad.mts';
import { energyDb, HOPS_PER_SECOND } from './signal/levels.mts';

/** Rumble is no reason to denoise. */
const RUMBLE_HZ = 80;

/** Measures every channel of a recording and their mean every 10 ms, in one pass. */
export class ChannelMeter {
	/** dBFS, without rumble. */
	readonly levels: readonly Float32Array[];
	/** The level of the mean of all channels. */
	readonly middle: Float32Array;
	/** False as soon as a sample differs between two channels. */
	areAlike = true;
	readonly #channels: number;
	readonly #hopFrames: number;
	readonly #filters: readonly RunningBiquad[];
	#frame = 0;

	constructor({ channels, frames, sampleRateHz }: PcmFile) {
		this.#channels = channels;
		this.#hopFrames = Math.round(sampleRateHz / HOPS_PER_SECOND);
		const hops = Math.ceil(frames / this.#hopFrames);
		const rumble = highPass(RUMBLE_HZ, sampleRateHz);
		this.levels = Array.from({ length: channels }, () => new Float32Array(hops));
		this.middle = new Float32Array(hops);
		this.#filters = this.levels.map(() => new RunningBiquad(rumble));
	}

	/** Takes interleaved frames, and removes their rumble in place. */
	take(chunk: Float32Array): void {
		const channels = this.#channels;
		for (let i = 0; channels > 1 && this.areAlike && i < chunk.length; i++) {
			this.areAlike = chunk[i] === chunk[i - (i % channels)];
		}
		this.#filters.forEach((filter, channel) => {
			filter.process(chunk, chunk, channel, channels);
		});
		const frames = chunk.length / channels;
		for (let start = 0; start < frames; ) {
			const hop = Math.floor(this.#frame / this.#hopFrames);
			const end = Math.min(frames, start + (hop + 1) * this.#hopFrames - this.#frame);
			this.#add(chunk.subarray(start * channels, end * channels), hop);
			this.#frame += end - start;
			start = end;
		}
	}

	/** Turns the sums into levels; to be called once, at the end. */
	finish(): void {
		for (const energies of [this.middle, ...this.levels]) {
			for (let hop = 0; hop < energies.length; hop++) {
				energies[hop] = energyDb(energies[hop] / this.#hopFrames);
			}
		}
	}

	#add(part: Float32Array, hop: number): void {
		const channels = this.#channels;
		let middle = 0;
		for (let i = 0; i < part.length; i += channels) {
			let sum = 0;
			for (let channel = 0; channel < channels; channel++) sum += part[i + channel];
			middle += sum * sum;
		}
		this.middle[hop] += middle / channels ** 2;
		this.levels.forEach((energies, channel) => {
			let energy = 0;
			for (let i = channel; i < part.length; i += channels) energy += part[i] * part[i];
			energies[hop] += energy;
		});
	}
}
