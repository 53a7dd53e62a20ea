import { Network } from '../onnxRuntime/network.mts';

/** Samples at 16 kHz of each moment that it judges, 32 ms. */
export const MOMENT_SAMPLES = 512;

/** Samples before each moment that it hears with it. */
const BEFORE_SAMPLES = 64;
const HEARD_SAMPLES = BEFORE_SAMPLES + MOMENT_SAMPLES;

/** Numbers of each of the two states that it keeps from one moment to the next. */
const STATE_SIZE = 128;
const STATE_DIMS = [1, 1, STATE_SIZE];

const FILE = new URL('silero.onnx', import.meta.url);

/** Silero VAD (Silero Team, MIT): says at which moments of a sound somebody speaks. */
export class Silero {
	private before = new Float32Array(BEFORE_SAMPLES);
	private hidden = new Float32Array(STATE_SIZE);
	private cell = new Float32Array(STATE_SIZE);

	private readonly network: Network;

	private constructor(network: Network) {
		this.network = network;
	}

	/** It has heard nothing yet. */
	static async create(): Promise<Silero> {
		return new Silero(await Network.load(FILE));
	}

	/**
	 * Returns how likely somebody speaks at each of the next moments, 0 to 1.
	 *
	 * @param samples of whole moments at 16 kHz, full scale ±1, which follow the last ones.
	 */
	async speechIn(samples: Float32Array): Promise<Float32Array> {
		const moments = samples.length / MOMENT_SAMPLES;
		const data = new Float32Array(moments * HEARD_SAMPLES);
		for (let moment = 0; moment < moments; moment++) {
			const start = moment * MOMENT_SAMPLES;
			data.set(this.before, moment * HEARD_SAMPLES);
			const own = samples.subarray(start, start + MOMENT_SAMPLES);
			data.set(own, moment * HEARD_SAMPLES + BEFORE_SAMPLES);
			this.before = own.slice(-BEFORE_SAMPLES);
		}
		const heard = await this.network.run({
			input: { data, dims: [moments, HEARD_SAMPLES] },
			h: { data: this.hidden, dims: STATE_DIMS },
			c: { data: this.cell, dims: STATE_DIMS },
		});
		// They lie in the network's own memory.
		this.hidden = heard['hn'].data.slice();
		this.cell = heard['cn'].data.slice();
		return heard['speech_probs'].data.slice();
	}
}
