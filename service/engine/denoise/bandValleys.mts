import type { PcmFormat } from '../../media/pcmFile.mts';
import { energyDb, nthSmallest } from '../signal/levels.mts';
import { PowerSpectrum } from '../signal/powerSpectrum.mts';
import { MonoWindows } from './monoWindows.mts';

/** The analysis runs at about this rate, in windows of 64 ms, which separate the tones of a deep voice, every 32 ms. */
const RATE_HZ = 16_000;
const WINDOW_SAMPLES = 1_024;
const STEP_SAMPLES = 512;
export const STEP_SECONDS = STEP_SAMPLES / RATE_HZ;

/** Windows averaged into one spectrum, to even out the grain of noise. */
const AVERAGED = 2;

/** Windows that are judged together, 30 s. */
export const TOGETHER = 938;

/** Bounds of the bands in which voices and noise differ, Hz, and as bins of a window. */
export const BAND_EDGES_HZ = [200, 500, 900, 1_400, 2_000, 2_800, 3_900, 5_400, 7_500];
const EDGES = BAND_EDGES_HZ.map((hz) => Math.round((hz * WINDOW_SAMPLES) / RATE_HZ));
export const BANDS = EDGES.length - 1;

/** A valley is the level that this share of a band's bins stays below. */
const VALLEY_SHARE = 0.25;

/** Pieces of a millisecond show the pulses of a voice and the lulls between them. */
const PIECE_SAMPLES = 16;
const LULL_SHARE = 0.25;

/** What is in a window, dB. */
export interface WindowLevels {
	/** The mean level of the bands in the averaged windows, and in the last of them. */
	level: number;
	lastLevel: number;
	/** How far the quieter milliseconds of the last window are below the mean of all. */
	lulls: number;
	/** The valley of each band. */
	valleys: Float32Array;
}

/** Measures how deep the valleys between the peaks of a spectrum are, in one pass over a recording. */
export class BandValleys {
	/** The mean square in 1 Hz over the power of a bin (Parseval, Hann window). */
	readonly perHz: number;
	private readonly input: MonoWindows;
	private readonly spectrum = new PowerSpectrum(WINDOW_SAMPLES);
	private readonly recent = Array.from(
		{ length: AVERAGED },
		() => new Float32Array(WINDOW_SAMPLES / 2),
	);
	private readonly mean = new Float32Array(WINDOW_SAMPLES / 2);
	private readonly pieces = new Float32Array(WINDOW_SAMPLES / PIECE_SAMPLES);
	private windows = 0;

	constructor(format: PcmFormat) {
		this.input = new MonoWindows(format, RATE_HZ, WINDOW_SAMPLES, STEP_SAMPLES);
		// Each sample is a sum of frames and channels.
		const summed = this.input.thinning * format.channels;
		this.perHz = 2 / (0.375 * WINDOW_SAMPLES * RATE_HZ) / summed ** 2;
	}

	/** Takes interleaved frames, and yields what is in the windows that they complete. */
	*write(chunk: Float32Array): Generator<WindowLevels> {
		const { mean, recent } = this;
		for (const window of this.input.write(chunk)) {
			const last = recent[this.windows % AVERAGED];
			last.set(this.spectrum.of(window));
			this.windows++;
			for (let bin = EDGES[0]; bin < EDGES[BANDS]; bin++) {
				let sum = 0;
				for (const powers of recent) sum += powers[bin];
				mean[bin] = sum / AVERAGED;
			}
			const valleys = Float32Array.from({ length: BANDS }, (_, band) => {
				const bins = mean.subarray(EDGES[band], EDGES[band + 1]);
				return energyDb(nthSmallest(bins, Math.floor(VALLEY_SHARE * bins.length)) ?? 0);
			});
			const lulls = this.lullsIn(window);
			yield { level: levelOf(mean), lastLevel: levelOf(last), lulls, valleys };
		}
	}

	/** How far the quieter milliseconds are below the mean of all, dB, without low tones, which would fill them. */
	private lullsIn(window: Float32Array): number {
		const { pieces } = this;
		pieces.fill(0);
		for (let i = 1; i < WINDOW_SAMPLES; i++) {
			pieces[Math.floor(i / PIECE_SAMPLES)] += (window[i] - window[i - 1]) ** 2;
		}
		const mean = pieces.reduce((sum, energy) => sum + energy, 0) / pieces.length;
		return energyDb(mean) - energyDb(nthSmallest(pieces, LULL_SHARE * pieces.length) ?? 0);
	}
}

/** The mean of the levels of the bands, dB. */
function levelOf(powers: Float32Array): number {
	let level = 0;
	for (let band = 0; band < BANDS; band++) {
		const [from, to] = [EDGES[band], EDGES[band + 1]];
		let sum = 0;
		for (let bin = from; bin < to; bin++) sum += powers[bin];
		level += energyDb(sum / (to - from)) / BANDS;
	}
	return level;
}
