import { type PcmFile, type PcmFormat, pcmSourceOf } from '../../media/pcmFile.mts';
import { energyDb, peakOffset, quantile } from '../signal/levels.mts';
import { MonoWindows } from './monoWindows.mts';
import { PowerSpectrum } from '../signal/powerSpectrum.mts';
import { sharedDoubles } from '../signal/sharedArrays.mts';

/** Mains frequencies around the world. */
const MAINS_HZ = [50, 60] as const;

/** Higher harmonics are too weak to be heard. */
const MAX_HZ = 1_000;

/** The analysis runs at about this rate, so that a bin of a window is 0.7 Hz wide. */
const RATE_HZ = 3_000;
const WINDOW_SAMPLES = 4_096;

/** How far a tone may be from its nominal frequency, and where its neighbors begin and end, in bins. */
const NEAR_BINS = 2;
const NEIGHBORS_BINS = [5, 16] as const;

/** Nobody speaks at a frequency in this share of the windows: what is left there is hum or noise. */
const QUIET_SHARE = 0.2;

/** In a shorter recording than 4.8 s, a held voice looks the same. */
const MIN_WINDOWS = 6;

/** A steady tone rises more than this above its neighbors, dB. */
const TONE_DB = 10;

/** A tone that is further below the loudest one is not heard beside it, dB: it may be the edge of a window. */
const MAX_BELOW_LOUDEST_DB = 45;

/** A single tone may be a fan, and tones without the first or second harmonic may be music. */
const MIN_TONES = 2;
const MAX_FIRST_ORDER = 2;

/** Finds mains hum in one pass over a recording. Needs 5 MB of memory per hour. */
export class HumMeter {
	private readonly input: MonoWindows;
	private readonly spectrum = new PowerSpectrum(WINDOW_SAMPLES);
	private readonly harmonics: readonly Harmonic[];
	private windows = 0;

	constructor(format: PcmFormat) {
		this.input = new MonoWindows(format, RATE_HZ, WINDOW_SAMPLES, WINDOW_SAMPLES / 2);
		const binHz = format.sampleRateHz / this.input.thinning / WINDOW_SAMPLES;
		this.harmonics = MAINS_HZ.flatMap((mainsHz) => {
			const orders = Array.from({ length: Math.floor(MAX_HZ / mainsHz) }, (_, i) => i + 1);
			return orders.map((order) => new Harmonic(mainsHz, order, binHz));
		});
	}

	/** Takes interleaved frames. */
	write(chunk: Float32Array): void {
		for (const window of this.input.write(chunk)) this.measure(window);
	}

	/** Returns the frequencies of the hum in Hz; empty if there is no hum. */
	tones(): number[] {
		if (this.windows < MIN_WINDOWS) return [];
		const families = MAINS_HZ.map((mainsHz) => {
			const tones = this.harmonics.filter((tone) => {
				return tone.mainsHz === mainsHz && tone.riseDb() > TONE_DB;
			});
			const loudestDb = Math.max(...tones.map((tone) => tone.quietDb()));
			return tones.filter((tone) => tone.quietDb() > loudestDb - MAX_BELOW_LOUDEST_DB);
		});
		const [most] = families.sort((a, b) => b.length - a.length);
		if (most.length < MIN_TONES || most[0].order > MAX_FIRST_ORDER) return [];
		const clearest = most.reduce((best, tone) => (tone.riseDb() > best.riseDb() ? tone : best));
		const mainsHz = clearest.hz() / clearest.order;
		return most.map(({ order }) => order * mainsHz);
	}

	private measure(window: Float32Array): void {
		this.windows++;
		const powers = this.spectrum.of(window);
		for (const harmonic of this.harmonics) harmonic.write(powers);
	}
}

/** Where to write the frequencies of hum that another thread looks for; 0 where there are fewer. */
export function newTones(): Float64Array {
	return sharedDoubles(MAX_HZ / Math.min(...MAINS_HZ));
}

/** Returns the frequencies of a recording's mains hum in Hz; none without hum. @throws the signal's reason when aborted. */
export async function humIn(input: PcmFile, signal?: AbortSignal): Promise<number[]> {
	const meter = new HumMeter(input);
	for await (const chunk of pcmSourceOf(input).chunks(0, input.frames)) {
		signal?.throwIfAborted();
		meter.write(chunk);
	}
	return meter.tones();
}

/** The levels around one harmonic of the mains, window by window. */
class Harmonic {
	readonly mainsHz: number;
	readonly order: number;
	private readonly binHz: number;
	private readonly levels: number[] = [];
	private readonly neighbors: number[] = [];
	private readonly places: number[] = [];

	constructor(mainsHz: number, order: number, binHz: number) {
		this.mainsHz = mainsHz;
		this.order = order;
		this.binHz = binHz;
	}

	write(powers: Float64Array): void {
		const center = Math.round((this.mainsHz * this.order) / this.binHz);
		let peak = center;
		for (let bin = center - NEAR_BINS; bin <= center + NEAR_BINS; bin++) {
			if (powers[bin] > powers[peak]) peak = bin;
		}
		const [near, far] = NEIGHBORS_BINS;
		const around = [
			...powers.subarray(Math.max(0, center - far), center - near),
			...powers.subarray(center + near, center + far),
		];
		this.levels.push(energyDb(powers[peak]));
		this.neighbors.push(energyDb(quantile(around, 0.5)));
		const [before, at, after] = powers.subarray(peak - 1, peak + 2);
		this.places.push(peak + peakOffset(energyDb(before), energyDb(at), energyDb(after)));
	}

	/** Returns the level of the tone while nobody speaks, dB. */
	quietDb(): number {
		return quantile(this.levels, QUIET_SHARE);
	}

	/** Returns how far the tone rises above its neighbors while nobody speaks, dB. */
	riseDb(): number {
		return this.quietDb() - quantile(this.neighbors, QUIET_SHARE);
	}

	/** Returns the median frequency of the tone, Hz. */
	hz(): number {
		return this.binHz * quantile(this.places, 0.5);
	}
}
