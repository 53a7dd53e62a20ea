import { type Arrays, Network } from '../onnxRuntime/network.mts';
import { BANDS, Features, FILTERED } from './features.mts';
import { SPECTRUM } from './frames.mts';

/** The network decides about a frame when it has heard this many more. */
export const LOOK_AHEAD = 2;

/** Frames of which it filters one: the frame itself, and as many before it and after it. */
export const TAPS = 2 * LOOK_AHEAD + 1;

/** Values of a filter: a complex one for each bin and tap. */
export const FILTER = 2 * TAPS * FILTERED;

/** Frames before the next that the first layers reach back to. */
const REACH = 2;

/** What the recurrent layers remember, and the frames that a later layer reaches back to. */
const MEMORY = [5, 1, 256];
const PAST = [1, 64, 4, FILTERED];

const GRAPH = new URL('deepFilterNet.onnx', import.meta.url);
const WEIGHTS = new URL('deepFilterNet.weights', import.meta.url);

/** What to do with frames, one after another. */
export interface Decisions {
	/** How much of each of `BANDS` to keep, 0 to 1. */
	gains: Float32Array;
	/** What to make of the lowest bins instead: for each bin and tap a complex factor. */
	filters: Float32Array;
}

const silence = (dims: readonly number[]) => {
	return { data: new Float32Array(dims.reduce((product, length) => product * length)), dims };
};

/** DeepFilterNet 3 (Schröter et al. 2023, MIT or Apache-2.0): finds what is speech in one channel. */
export class DeepFilterNet {
	private readonly network: Network;
	private readonly features = new Features();
	private memory: Arrays[string] = silence(MEMORY);
	private past: Arrays[string] = silence(PAST);
	/** Of the last frames and those that are heard now. */
	private bands = new Float32Array(REACH * BANDS);
	private parts: readonly Float32Array[] = [0, 1].map(() => new Float32Array(REACH * FILTERED));

	private constructor(network: Network) {
		this.network = network;
	}

	/** Returns one that has heard nothing yet. */
	static async create(): Promise<DeepFilterNet> {
		return new DeepFilterNet(await Network.load(GRAPH, WEIGHTS));
	}

	/** Frees the memory of the network in this thread until it is needed again. */
	static async release(): Promise<void> {
		await Network.release(GRAPH);
	}

	/**
	 * Hears the next frames, and returns what to do with as many that begin `LOOK_AHEAD` frames earlier.
	 *
	 * @param spectra one after another.
	 */
	async decide(spectra: Float32Array): Promise<Decisions> {
		const frames = spectra.length / SPECTRUM;
		this.hear(spectra, frames);
		const length = REACH + frames;
		const bins = new Float32Array(2 * length * FILTERED);
		this.parts.forEach((part, index) => {
			bins.set(part, index * part.length);
		});
		const { memory, past } = this;
		const decided = await this.network.run({
			bands: { data: this.bands, dims: [1, 1, length, BANDS] },
			bins: { data: bins, dims: [1, 2, length, FILTERED] },
			memory,
			past,
		});
		this.memory = decided['memory:next'];
		this.past = decided['past:next'];
		return { gains: decided.gains.data, filters: decided.filters.data };
	}

	/** Takes the features of frames, after those of the last ones before. */
	private hear(spectra: Float32Array, frames: number): void {
		const longer = (before: Float32Array, width: number) => {
			const all = new Float32Array((REACH + frames) * width);
			all.set(before.subarray(before.length - REACH * width));
			return all;
		};
		this.bands = longer(this.bands, BANDS);
		this.parts = this.parts.map((part) => longer(part, FILTERED));
		const [re, im] = this.parts;
		for (let frame = 0; frame < frames; frame++) {
			const spectrum = spectra.subarray(frame * SPECTRUM, (frame + 1) * SPECTRUM);
			const rowOf = (all: Float32Array, width: number) => {
				return all.subarray((REACH + frame) * width, (REACH + frame + 1) * width);
			};
			this.features.write(
				spectrum,
				rowOf(this.bands, BANDS),
				rowOf(re, FILTERED),
				rowOf(im, FILTERED),
			);
		}
	}
}
