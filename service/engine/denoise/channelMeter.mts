import type { PcmFormat } from '../../media/pcmFile.mts';
import { highPass, RunningBiquad } from '../signal/biquad.mts';
import { energyDb, energyOf, hopFramesAt, HOPS_PER_SECOND } from '../signal/levels.mts';

/** Rumble is no reason to denoise. */
export const RUMBLE_HZ = 80;

/** Room for ten minutes at first; it doubles when need be. */
const ROOM_HOPS = 600 * HOPS_PER_SECOND;

/** What was measured of a recording. */
export type ChannelLevels = ReturnType<ChannelMeter['measured']>;

/** Measures every channel of a recording and their mean in one pass. */
export class ChannelMeter {
	private areAlike = true;
	private readonly channels: number;
	private readonly hopFrames: number;
	private readonly filters: readonly RunningBiquad[];
	/** Energies hop by hop, with room for more: first those of the mean, then those of the channels. */
	private energies: readonly Float32Array[];
	private frame = 0;

	constructor({ channels, sampleRateHz }: PcmFormat) {
		this.channels = channels;
		this.hopFrames = hopFramesAt(sampleRateHz);
		const rumble = highPass(RUMBLE_HZ, sampleRateHz);
		this.filters = Array.from({ length: channels }, () => new RunningBiquad(rumble));
		this.energies = Array.from({ length: channels + 1 }, () => new Float32Array(ROOM_HOPS));
	}

	/** Takes interleaved frames, and removes their rumble in place. */
	write(chunk: Float32Array): void {
		const channels = this.channels;
		for (let i = 0; channels > 1 && this.areAlike && i < chunk.length; i++) {
			this.areAlike = chunk[i] === chunk[i - (i % channels)];
		}
		this.filters.forEach((filter, channel) => {
			filter.process(chunk, chunk, channel, channels);
		});
		const frames = chunk.length / channels;
		for (let start = 0; start < frames; ) {
			const hop = Math.floor(this.frame / this.hopFrames);
			const end = Math.min(frames, start + (hop + 1) * this.hopFrames - this.frame);
			this.add(chunk.subarray(start * channels, end * channels), hop);
			this.frame += end - start;
			start = end;
		}
	}

	/**
	 * What was measured so far: the levels every 10 ms, dBFS without rumble, of the mean of all channels
	 * and of each, and whether all channels hold the same samples.
	 */
	measured() {
		const hops = Math.ceil(this.frame / this.hopFrames);
		const [middle, ...levels] = this.energies.map((energies) =>
			energies.subarray(0, hops).map((energy) => energyDb(energy / this.hopFrames)),
		);
		return { middle, levels, areAlike: this.areAlike };
	}

	private add(part: Float32Array, hop: number): void {
		const channels = this.channels;
		let middle = 0;
		for (let i = 0; i < part.length; i += channels) {
			let sum = 0;
			for (let channel = 0; channel < channels; channel++) sum += part[i + channel];
			middle += sum * sum;
		}
		if (hop >= this.energies[0].length) this.makeRoom();
		this.energies[0][hop] += middle / channels ** 2;
		for (let channel = 0; channel < channels; channel++) {
			this.energies[channel + 1][hop] += energyOf(part, channel, part.length, channels);
		}
	}

	private makeRoom(): void {
		this.energies = this.energies.map((energies) => {
			const larger = new Float32Array(2 * energies.length);
			larger.set(energies);
			return larger;
		});
	}
}
