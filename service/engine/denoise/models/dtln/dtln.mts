import { realFft } from '../../../signal/realFft.mts';
import { BINS, FRAME_SAMPLES, Network, NetworkState, STEP_SAMPLES } from './network.mts';

/** 48 kHz over the 16 kHz that DTLN hears. */
const RATIO = 3;

/** Samples DTLN takes at a time, 8 ms. */
const DTLN_FRAME_SAMPLES = RATIO * STEP_SAMPLES;

/** How many samples the output is later than the input. */
export const DTLN_DELAY_SAMPLES = RATIO * (FRAME_SAMPLES - STEP_SAMPLES);

/** Frames of 32 ms at 48 and 16 kHz have the same bins up to 8 kHz, so copying bins resamples a frame. */
const wide = realFft(RATIO * FRAME_SAMPLES);
const narrow = realFft(FRAME_SAMPLES);

let network: Promise<Network> | undefined;

/** DTLN (Westhausen and Meyer 2020, MIT) on one channel; it remembers what it heard until it forgets. */
export class Dtln {
	private readonly network: Network;
	private state = new NetworkState();
	private readonly input = new Float32Array(wide.time.length);
	private readonly output = new Float32Array(wide.time.length);
	private readonly magnitudes = new Float32Array(BINS);

	private constructor(loaded: Network) {
		this.network = loaded;
	}

	static async create(): Promise<Dtln> {
		network ??= Network.load();
		return new Dtln(await network);
	}

	/** Denoises one channel in place, 48 kHz, full scale ±1, a multiple of 384 samples. Nothing above 8 kHz is left. */
	process(block: Float32Array): void {
		const { input, output } = this;
		const reach = input.length - DTLN_FRAME_SAMPLES;
		for (let start = 0; start < block.length; start += DTLN_FRAME_SAMPLES) {
			const step = block.subarray(start, start + DTLN_FRAME_SAMPLES);
			input.copyWithin(0, DTLN_FRAME_SAMPLES);
			input.set(step, reach);
			this.denoiseFrame();
			step.set(output.subarray(0, DTLN_FRAME_SAMPLES));
			output.copyWithin(0, DTLN_FRAME_SAMPLES);
			output.fill(0, reach);
		}
	}

	/** Begins again, as if it had heard nothing. */
	forget(): void {
		this.state = new NetworkState();
		this.input.fill(0);
		this.output.fill(0);
	}

	/** Adds what is said in the frame that was heard last. */
	private denoiseFrame(): void {
		const { state, magnitudes, output } = this;
		wide.time.set(this.input);
		wide.forward();
		// The first two numbers are the real parts of 0 Hz, which the network needs, and of the highest frequency.
		// 8 kHz is the highest only at 16 kHz.
		const { spectrum } = narrow;
		spectrum.set(wide.spectrum.subarray(0, FRAME_SAMPLES));
		spectrum[1] = wide.spectrum[FRAME_SAMPLES];
		for (let bin = 1; bin < BINS - 1; bin++) {
			magnitudes[bin] = Math.sqrt(spectrum[2 * bin] ** 2 + spectrum[2 * bin + 1] ** 2) / RATIO;
		}
		magnitudes[0] = Math.abs(spectrum[0]) / RATIO;
		magnitudes[BINS - 1] = Math.abs(spectrum[1]) / RATIO;
		const mask = this.network.maskBy(0, magnitudes, state);
		// A transform and its inverse multiply by their length, and the wide one is three times as long.
		const scale = 1 / wide.time.length;
		for (let i = 2; i < FRAME_SAMPLES; i++) spectrum[i] *= scale * mask[i >> 1];
		spectrum[0] *= scale * mask[0];
		spectrum[1] *= scale * mask[BINS - 1];
		narrow.inverse();
		narrow.time.set(this.network.maskedFrame(narrow.time, state));
		narrow.forward();
		wide.spectrum.fill(0);
		wide.spectrum.set(narrow.spectrum);
		wide.spectrum[1] = 0;
		wide.spectrum[FRAME_SAMPLES] = narrow.spectrum[1];
		wide.inverse();
		for (let i = 0; i < output.length; i++) output[i] += wide.time[i] / FRAME_SAMPLES;
	}
}
