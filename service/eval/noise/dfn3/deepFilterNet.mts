import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { Network } from '../../../engine/networks/onnxRuntime/network.mts';
import { realFft } from '../../../engine/signal/realFft.mts';

const RATE = 48_000;
const WINDOW = 960;
const HOP = 480;
const BINS = WINDOW / 2 + 1;
const BANDS = 32;
/** The lowest bins are filtered, with five taps each; the others are only scaled. */
const FILTERED = 96;
const TAPS = 5;
const LOOK_AHEAD = 2;
const ALPHA = 0.99;
/** Frames computed at a time, and heard before them to fill the memory of the network. */
const CHUNK = 500;
const WARM_UP = 100;
/** Signal to noise, dB: below the first nothing is left, above the second nothing is filtered, above the third nothing is changed. */
const MIN_SNR = -15;
const FILTER_SNR = 35;
const MAX_SNR = 35;

const window = Float32Array.from({ length: WINDOW }, (_, i) => {
	return Math.sin((Math.PI / 2) * Math.sin((Math.PI * (i + 0.5)) / WINDOW) ** 2);
});

/** Bins of each band, as wide as hearing resolves (ERB). */
const WIDTHS = bandWidths();

function bandWidths(): number[] {
	const top = 9.265 * Math.log1p(RATE / 2 / (24.7 * 9.265));
	const edge = (band: number) => 24.7 * 9.265 * (Math.exp((band * top) / BANDS / 9.265) - 1);
	const widths: number[] = [];
	let [before, over] = [0, 0];
	for (let band = 1; band <= BANDS; band++) {
		const bin = Math.round(edge(band) / (RATE / WINDOW));
		const width = Math.max(2, bin - before - over);
		over = width - (bin - before - over);
		widths.push(width);
		before = bin;
	}
	widths[BANDS - 1] += BINS - widths.reduce((sum, width) => sum + width, 0);
	return widths;
}

interface Networks {
	readonly encoder: Network;
	readonly masks: Network;
	readonly filters: Network;
}

/** DeepFilterNet 3 (Schröter et al. 2023, MIT or Apache-2.0): one channel, 48 kHz, whole stretches. */
export class DeepFilterNet {
	private readonly networks: Networks;

	private constructor(networks: Networks) {
		this.networks = networks;
	}

	/** @param folder with its three ONNX files. */
	static async create(folder: string): Promise<DeepFilterNet> {
		const load = (name: string) => Network.load(pathToFileURL(join(folder, `${name}.onnx`)));
		const encoder = await load('enc');
		return new DeepFilterNet({
			encoder,
			masks: await load('erb_dec'),
			filters: await load('df_dec'),
		});
	}

	/** Returns the sound without its noise, in step with it. @param limitDb the most that is taken away. */
	async denoised(samples: Float32Array, limitDb = 100): Promise<Float32Array> {
		const output = new Float32Array(samples.length + 2 * WINDOW);
		const frames = Math.ceil(samples.length / HOP) + 1;
		const least = 10 ** (-limitDb / 20);
		for (let start = 0; start < frames; start += CHUNK) {
			const from = Math.max(0, start - WARM_UP);
			const to = Math.min(frames, start + CHUNK);
			const spectra = spectraOf(samples, from - LOOK_AHEAD, to + LOOK_AHEAD);
			const { masks, filters, snr } = await this.decide(spectra, to - from);
			for (let frame = start - from; frame < to - from; frame++) {
				const said = enhanced(spectra, frame, { masks, filters, snr: snr[frame] });
				const place = (frame + LOOK_AHEAD) * 2 * BINS;
				const input = spectra.subarray(place, place + 2 * BINS);
				addFrame(output, (from + frame) * HOP, said, input, least);
			}
		}
		return output.subarray(HOP, HOP + samples.length);
	}

	private async decide(spectra: Float32Array, frames: number) {
		const { bands, bins } = featuresOf(spectra, frames);
		const { encoder, masks, filters } = this.networks;
		const { emb, e0, e1, e2, e3, c0, lsnr } = await encoder.run({
			feat_erb: { data: bands, dims: [1, 1, frames, BANDS] },
			feat_spec: { data: bins, dims: [1, 2, frames, FILTERED] },
		});
		const { m } = await masks.run({ emb, e0, e1, e2, e3 });
		const { coefs } = await filters.run({ emb, c0 });
		return { masks: m.data, filters: coefs.data, snr: lsnr.data };
	}
}

/** Spectra of frames, each of which begins one hop before its place. */
function spectraOf(samples: Float32Array, from: number, to: number): Float32Array {
	const fft = realFft(WINDOW);
	const spectra = new Float32Array((to - from) * 2 * BINS);
	for (let frame = from; frame < to; frame++) {
		for (let i = 0, at = (frame - 1) * HOP; i < WINDOW; i++, at++) {
			fft.time[i] = at < 0 || at >= samples.length ? 0 : (samples[at] * window[i]) / WINDOW;
		}
		fft.forward();
		const place = (frame - from) * 2 * BINS;
		spectra.set(fft.spectrum, place);
		spectra[place + 1] = 0;
		spectra[place + 2 * BINS - 2] = fft.spectrum[1];
	}
	return spectra;
}

/** What the network hears: the level of each band, and the lowest bins, each against its mean of the last second. */
function featuresOf(spectra: Float32Array, frames: number) {
	const bands = new Float32Array(frames * BANDS);
	const bins = new Float32Array(2 * frames * FILTERED);
	const levels = Float32Array.from({ length: BANDS }, (_, i) => -60 - (30 * i) / (BANDS - 1));
	const sizes = Float32Array.from(
		{ length: FILTERED },
		(_, i) => 0.001 - (0.0009 * i) / (FILTERED - 1),
	);
	// The network decides about a frame when it has heard two more.
	for (let frame = 0; frame < frames; frame++) {
		const place = (frame + 2 * LOOK_AHEAD) * 2 * BINS;
		const power = (bin: number) =>
			spectra[place + 2 * bin] ** 2 + spectra[place + 2 * bin + 1] ** 2;
		for (let band = 0, bin = 0; band < BANDS; band++) {
			let sum = 0;
			for (const end = bin + WIDTHS[band]; bin < end; bin++) sum += power(bin) / WIDTHS[band];
			const level = 10 * Math.log10(sum + 1e-10);
			levels[band] = level * (1 - ALPHA) + levels[band] * ALPHA;
			bands[frame * BANDS + band] = (level - levels[band]) / 40;
		}
		for (let bin = 0; bin < FILTERED; bin++) {
			sizes[bin] = Math.sqrt(power(bin)) * (1 - ALPHA) + sizes[bin] * ALPHA;
			const scale = 1 / Math.sqrt(sizes[bin]);
			bins[frame * FILTERED + bin] = spectra[place + 2 * bin] * scale;
			bins[(frames + frame) * FILTERED + bin] = spectra[place + 2 * bin + 1] * scale;
		}
	}
	return { bands, bins };
}

const said = new Float32Array(2 * BINS);

/** What the network decided, of all frames, and the signal to noise of one. */
interface Decision {
	masks: Float32Array;
	filters: Float32Array;
	snr: number;
}

/** The spectrum of a frame without its noise; valid until the next call. */
function enhanced(spectra: Float32Array, frame: number, by: Decision): Float32Array {
	const place = (frame + LOOK_AHEAD) * 2 * BINS;
	said.set(spectra.subarray(place, place + 2 * BINS));
	if (by.snr < MIN_SNR) return said.fill(0);
	if (by.snr > MAX_SNR) return said;
	for (let band = 0, bin = 0; band < BANDS; band++) {
		const gain = by.masks[frame * BANDS + band];
		for (const end = bin + WIDTHS[band]; bin < end; bin++) {
			said[2 * bin] *= gain;
			said[2 * bin + 1] *= gain;
		}
	}
	if (by.snr > FILTER_SNR) return said;
	for (let bin = 0; bin < FILTERED; bin++) {
		let [real, imaginary] = [0, 0];
		for (let tap = 0; tap < TAPS; tap++) {
			const at = (frame + tap) * 2 * BINS + 2 * bin;
			const c = ((frame * FILTERED + bin) * TAPS + tap) * 2;
			real += spectra[at] * by.filters[c] - spectra[at + 1] * by.filters[c + 1];
			imaginary += spectra[at] * by.filters[c + 1] + spectra[at + 1] * by.filters[c];
		}
		said[2 * bin] = real;
		said[2 * bin + 1] = imaginary;
	}
	return said;
}

/** Adds a frame to the output, and a share of what was taken away. */
function addFrame(
	output: Float32Array,
	at: number,
	said: Float32Array,
	input: Float32Array,
	least: number,
): void {
	const fft = realFft(WINDOW);
	const mixed = (i: number) => said[i] * (1 - least) + input[i] * least;
	for (let i = 0; i < WINDOW; i++) fft.spectrum[i] = mixed(i);
	const top = 2 * BINS - 2;
	fft.spectrum[1] = mixed(top);
	fft.inverse();
	for (let i = 0; i < WINDOW; i++) output[at + i] += fft.time[i] * window[i];
}
