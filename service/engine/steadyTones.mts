/** A tone under way: a peak of the spectrum that stays where it is. */
interface Tone {
	/** Where in the spectrum. */
	bin: number;
	firstHop: number;
	lastHop: number;
}

/** A tone rises so far above its surroundings in the spectrum, dB, and is no fainter than this. */
const PEAK_DB = 9;
const FAINTEST_DB = -75;

/** What surrounds a bin, in bins to each side. */
const SURROUNDINGS_BINS = 10;

/** Voices' lowest partials may stand still; what counts lies above them, Hz. */
const LOWEST_HZ = 500;

/** A tone counts from this length on. */
const SHORTEST_SECONDS = 0.32;

/** What sounds at one place for more than this share of the time around it is hum. */
const HUM_SHARE = 0.3;
const HUM_REACH_SECONDS = 10;

/** Hops for which a tone may be missing. */
const MISSING_HOPS = 1;

/** Follows the tones in a signal and counts at each hop those that stand still. */
export class SteadyTones {
	readonly #hopsPerSecond: number;
	readonly #lowestBin: number;
	/** The tones that have ended, by their bin, in the order of their ends. */
	readonly #ended = new Map<number, Tone[]>();
	#tones: Tone[] = [];
	#hop = 0;

	/** @param windowSeconds length of the windows that the spectra are of. */
	constructor(hopsPerSecond: number, windowSeconds: number) {
		this.#hopsPerSecond = hopsPerSecond;
		this.#lowestBin = Math.round(LOWEST_HZ * windowSeconds);
	}

	/** Takes the next spectrum, in dB. */
	hear(decibels: Float64Array): void {
		const byBin = new Map(this.#tones.map((tone) => [tone.bin, tone]));
		for (const bin of peaksOf(decibels, this.#lowestBin)) {
			const tone = byBin.get(bin) ?? byBin.get(bin - 1) ?? byBin.get(bin + 1);
			if (tone) tone.lastHop = this.#hop;
			else this.#tones.push({ bin, firstHop: this.#hop, lastHop: this.#hop });
		}
		this.#hop++;
		this.#tones = this.#tones.filter((tone) => {
			if (this.#hop - tone.lastHop <= MISSING_HOPS + 1) return true;
			this.#end(tone);
			return false;
		});
	}

	/** How many steady tones there were at each hop, hum left out. */
	counts(): Uint16Array {
		for (const tone of this.#tones.splice(0)) this.#end(tone);
		const counts = new Uint16Array(this.#hop);
		for (const tone of [...this.#ended.values()].flat()) {
			if (this.#shareAround(tone) > HUM_SHARE) continue;
			for (let hop = tone.firstHop; hop <= tone.lastHop; hop++) counts[hop]++;
		}
		return counts;
	}

	#end(tone: Tone): void {
		if (hopsOf(tone) < SHORTEST_SECONDS * this.#hopsPerSecond) return;
		const others = this.#ended.get(tone.bin);
		if (others) others.push(tone);
		else this.#ended.set(tone.bin, [tone]);
	}

	/** For which share of the time around a tone there are tones at its place. */
	#shareAround({ bin, firstHop, lastHop }: Tone): number {
		const reach = HUM_REACH_SECONDS * this.#hopsPerSecond;
		const from = Math.max(0, (firstHop + lastHop) / 2 - reach);
		const to = Math.min(this.#hop, from + 2 * reach);
		let hops = 0;
		for (const place of [bin - 1, bin, bin + 1]) {
			for (const other of this.#ended.get(place) ?? []) {
				hops += Math.max(0, Math.min(to, other.lastHop + 1) - Math.max(from, other.firstHop));
			}
		}
		return hops / Math.max(reach, to - from);
	}
}

function hopsOf({ firstHop, lastHop }: Tone): number {
	return lastHop + 1 - firstHop;
}

/** The bins that are peaks. */
function peaksOf(decibels: Float64Array, lowestBin: number): number[] {
	const peaks: number[] = [];
	const reach = SURROUNDINGS_BINS;
	let sum = 0;
	for (let bin = lowestBin - reach; bin <= lowestBin + reach; bin++) sum += decibels[bin];
	for (let bin = lowestBin; bin < decibels.length - reach - 1; bin++) {
		const level = decibels[bin];
		const isHighest = level > decibels[bin - 1] && level >= decibels[bin + 1];
		const rise = level - sum / (2 * reach + 1);
		if (isHighest && level > FAINTEST_DB && rise > PEAK_DB) peaks.push(bin);
		sum += decibels[bin + reach + 1] - decibels[bin - reach];
	}
	return peaks;
}
