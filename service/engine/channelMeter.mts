import type { PcmFormat } from '../media/pcmFile.mts';
import { highPass, RunningBiquad } from './signal/biquad.mts';
import { energyDb, HOPS_PER_SECOND } from './signal/levels.mts';

/** Rumble is no reason to denoise. */
const RUMBLE_HZ = 80;

/** What was measured of a recording every 10 ms. */
export interface ChannelLevels {
	/** dBFS, without rumble. */
	levels: readonly Float32Array[];
	/** The level of the mean of all channels. */
	middle: Float32Array;
	/** Whether all channels hold the same samples. */
	areAlike: boolean;
}

/** Measures every channel of a recording and their mean in one pass. */
export class ChannelMeter {
	#areAlike = true;
	readonly #channels: number;
	readonly #hopFrames: number;
	readonly #filters: readonly RunningBiquad[];
	/** Energies hop by hop: first those of the mean, then those of the channels. */
	readonly #energies: readonly number[][];
	#frame = 0;

	constructor({ channels, sampleRateHz }: PcmFormat) {
		this.#channels = channels;
		this.#hopFrames = Math.round(sampleRateHz / HOPS_PER_SECOND);
		const rumble = highPass(RUMBLE_HZ, sampleRateHz);
		this.#filters = Array.from({ length: channels }, () => new RunningBiquad(rumble));
		this.#energies = Array.from({ length: channels + 1 }, () => []);
	}

	/** Takes interleaved frames, and removes their rumble in place. */
	take(chunk: Float32Array): void {
		const channels = this.#channels;
		for (let i = 0; channels > 1 && this.#areAlike && i < chunk.length; i++) {
			this.#areAlike = chunk[i] === chunk[i - (i % channels)];
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

	/** What was measured so far. */
	measured(): ChannelLevels {
		const [middle, ...levels] = this.#energies.map((energies) =>
			Float32Array.from(energies, (energy) => energyDb(energy / this.#hopFrames)),
		);
		return { middle, levels, areAlike: this.#areAlike };
	}

	#add(part: Float32Array, hop: number): void {
		const channels = this.#channels;
		let middle = 0;
		for (let i = 0; i < part.length; i += channels) {
			let sum = 0;
			for (let channel = 0; channel < channels; channel++) sum += part[i + channel];
			middle += sum * sum;
		}
		const [ofMean, ...ofChannels] = this.#energies;
		ofMean[hop] = (ofMean[hop] ?? 0) + middle / channels ** 2;
		ofChannels.forEach((energies, channel) => {
			let energy = 0;
			for (let i = channel; i < part.length; i += channels) energy += part[i] * part[i];
			energies[hop] = (energies[hop] ?? 0) + energy;
		});
	}
}
