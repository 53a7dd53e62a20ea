import type { TimeRange } from '../../shared/timeRanges.mts';
import { nthSmallest } from '../signal/levels.mts';
import { BAND_EDGES_HZ, BANDS, STEP_SECONDS, TOGETHER, type WindowLevels } from './bandValleys.mts';

/** Noise fills the valleys for this long on each side, in windows. Words leave gaps. */
const REACH = 2;

/** The valleys that noise fills are this far above the quietest tenth of 30 s, dB, in at least this many bands. */
const RISE_DB = 8;
const MIN_BANDS = 5;

/** Noise is at most this far above its own valleys, dB. The harmonics of a voice are further. */
const MAX_DEPTH_DB = 8.5;

/** Noise does not dip by more than this below its level for a window, dB. Laughter does, between two syllables. */
const MAX_DIP_DB = 6;

/** Noise has lulls this deep at most, dB. A growl has deeper ones between its pulses, and no tones that show in a spectrum. */
const MAX_LULLS_DB = 5;

/** The valleys of a burst stay the same: their standard deviation is at most this, dB a band. A whisper moves. */
const MAX_MOTION_DB = 1.4;

/** A burst is at most this far below the loudest tenth, dB: what is softer is the room between two cuts. */
const MAX_BELOW_LOUD_DB = 20;

/** Of the windows that are judged together, those that are kept for the next. */
const KEPT = 188;

/** A burst may break off for this long: a word that is louder hides it. */
const MAX_GAP_SECONDS = 0.3;

/** What is shorter may be a consonant; what is longer may be applause, and noise that stays has its own way. */
const MIN_SECONDS = 0.15;
const MAX_SECONDS = 1.6;

/** A burst begins before it has filled its windows, and ends after. */
const EDGE_SECONDS = 0.12;

/** A burst of noise. */
export interface Burst extends TimeRange {
	/** The mean square of its noise in 1 Hz, in each band of `BAND_EDGES_HZ`. */
	densities: Float32Array;
}

/** The mean power of noise over the lowest valley within reach. */
const NOISE_PER_VALLEY = 2.5;

/** A stretch of windows that hold noise, and the sums of the valleys' levels within reach of each, dB, and of their squares. */
interface Stretch {
	first: number;
	last: number;
	windows: number;
	readonly valleys: Float32Array;
	readonly squares: Float32Array;
}

/** Finds bursts of noise in one pass over a recording. */
export class BurstMeter {
	private readonly perHz: number;
	/** The windows of the last 30 s at most. */
	private readonly recent: WindowLevels[] = [];
	/** How many of them have been judged, and how many windows came before them. */
	private judged = 0;
	private before = 0;
	private readonly found: Stretch[] = [];

	/** @param perHz the mean square in 1 Hz over the power of a bin. */
	constructor(perHz: number) {
		this.perHz = perHz;
	}

	/** Takes the next window. */
	write(window: WindowLevels): void {
		this.recent.push(window);
		if (this.recent.length === TOGETHER) this.goOn();
	}

	/** Returns where noise bursts out, as far as the recording was heard. */
	bursts(): Burst[] {
		this.judge(this.recent.length);
		return this.found
			.filter((stretch) => {
				const seconds = (stretch.last + 1 - stretch.first) * STEP_SECONDS;
				const hasLength = seconds >= MIN_SECONDS && seconds <= MAX_SECONDS;
				return hasLength && motionIn(stretch) <= MAX_MOTION_DB;
			})
			.map(({ first, last, windows, valleys }) => ({
				startSeconds: first * STEP_SECONDS - EDGE_SECONDS,
				endSeconds: (last + 1) * STEP_SECONDS + EDGE_SECONDS,
				densities: valleys.map((sum) => {
					return NOISE_PER_VALLEY * this.perHz * 10 ** (sum / windows / 10);
				}),
			}));
	}

	/** Judges what can be judged, and makes room. */
	private goOn(): void {
		this.judge(TOGETHER - REACH);
		const gone = TOGETHER - KEPT;
		this.recent.splice(0, gone);
		this.judged -= gone;
		this.before += gone;
	}

	/** Judges the windows up to one, each by those around it. */
	private judge(end: number): void {
		const { recent } = this;
		const quantile = (share: number, levelOf: (window: WindowLevels) => number) => {
			const levels = Float32Array.from(recent, levelOf);
			return nthSmallest(levels, Math.floor(share * levels.length)) ?? 0;
		};
		const floors = Array.from({ length: BANDS }, (_, band) =>
			quantile(0.1, ({ valleys }) => valleys[band]),
		);
		const softest = quantile(0.9, ({ level }) => level) - MAX_BELOW_LOUD_DB;
		for (; this.judged < end; this.judged++) {
			if (recent[this.judged].level < softest || !this.isNoise(this.judged, floors)) continue;
			this.add(this.judged);
		}
	}

	/** Adds a window that holds noise to the stretch that it belongs to. */
	private add(at: number): void {
		const window = this.before + at;
		let stretch = this.found.at(-1);
		if (!stretch || (window - stretch.last) * STEP_SECONDS > MAX_GAP_SECONDS) {
			const [valleys, squares] = [new Float32Array(BANDS), new Float32Array(BANDS)];
			stretch = { first: window, last: window, windows: 0, valleys, squares };
			this.found.push(stretch);
		}
		stretch.last = window;
		stretch.windows++;
		for (let band = 0; band < BANDS; band++) {
			const valley = this.lowestNear(at, ({ valleys }) => valleys[band]);
			stretch.valleys[band] += valley;
			stretch.squares[band] += valley ** 2;
		}
	}

	private isNoise(at: number, floors: readonly number[]): boolean {
		const { level, lulls } = this.recent[at];
		if (lulls > MAX_LULLS_DB) return false;
		if (this.lowestNear(at, ({ lastLevel }) => lastLevel) < level - MAX_DIP_DB) return false;
		const lowest = floors.map((_, band) => this.lowestNear(at, ({ valleys }) => valleys[band]));
		const risen = lowest.filter((valley, band) => valley > floors[band] + RISE_DB).length;
		const depth = lowest.reduce((sum, valley) => sum + (level - valley) / BANDS, 0);
		return risen >= MIN_BANDS && depth < MAX_DEPTH_DB;
	}

	/** The lowest of the levels within reach of a window. */
	private lowestNear(at: number, levelOf: (window: WindowLevels) => number): number {
		const near = this.recent.slice(Math.max(0, at - REACH), at + REACH + 1);
		return near.reduce((lowest, window) => Math.min(lowest, levelOf(window)), Infinity);
	}
}

/** The standard deviation of the valleys' levels, the mean of all bands, dB. */
function motionIn({ windows, valleys, squares }: Stretch): number {
	return valleys.reduce((sum, valley, band) => {
		const variance = squares[band] / windows - (valley / windows) ** 2;
		return sum + Math.sqrt(Math.max(0, variance)) / BANDS;
	}, 0);
}

/** The mean square of all the noise of a burst. */
export function powerOf({ densities }: Burst): number {
	return densities.reduce((sum, density, band) => {
		return sum + density * (BAND_EDGES_HZ[band + 1] - BAND_EDGES_HZ[band]);
	}, 0);
}
