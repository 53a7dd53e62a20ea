/** A tone: a spectral peak that stays at its frequency. */
interface Tone {
	/** Spectrum bin. */
	bin: number;
	firstHop: number;
	lastHop: number;
}

/** Minimum rise of a tone above the surrounding spectrum, and its minimum level, dB. */
const PEAK_DB = 9;
const FAINTEST_DB = -75;

/** Bins on each side that count as surroundings. */
const SURROUNDINGS_BINS = 10;

/** Only tones above this count, Hz: the lowest partials of voices may also be steady. */
const MIN_HZ = 500;

/** Minimum length of a tone. */
const MIN_SECONDS = 0.32;

/** A frequency that sounds for more than this share of the time around it is hum. */
const HUM_SHARE = 0.3;
const HUM_REACH_SECONDS = 10;

/** Maximum gap in a tone, in hops. */
const MISSING_HOPS = 1;

/** Tracks the tones in a signal and counts the steady ones at each hop. */
export class SteadyTones {
	private readonly hopsPerSecond: number;
	private readonly lowestBin: number;
	/** Ended tones that were long enough. */
	private readonly ended: Tone[] = [];
	private tones: Tone[] = [];
	private hop = 0;

	/** @param windowSeconds length of the windows of the spectra. */
	constructor(hopsPerSecond: number, windowSeconds: number) {
		this.hopsPerSecond = hopsPerSecond;
		this.lowestBin = Math.round(MIN_HZ * windowSeconds);
	}

	/** Processes the next spectrum, in dB. */
	write(decibels: Float64Array): void {
		const byBin = new Map(this.tones.map((tone) => [tone.bin, tone]));
		for (const bin of peaksOf(decibels, this.lowestBin)) {
			const tone = byBin.get(bin) ?? byBin.get(bin - 1) ?? byBin.get(bin + 1);
			if (tone) tone.lastHop = this.hop;
			else this.tones.push({ bin, firstHop: this.hop, lastHop: this.hop });
		}
		this.hop++;
		this.tones = this.tones.filter((tone) => {
			if (this.hop - tone.lastHop <= MISSING_HOPS + 1) return true;
			this.end(tone);
			return false;
		});
	}

	/** Number of steady tones at each hop, without hum. */
	counts(): Uint16Array {
		for (const tone of this.tones.splice(0)) this.end(tone);
		const counts = new Uint16Array(this.hop);
		const byBin = Map.groupBy(this.ended, ({ bin }) => bin);
		for (const tone of this.ended) {
			if (this.shareAround(tone, byBin) > HUM_SHARE) continue;
			for (let hop = tone.firstHop; hop <= tone.lastHop; hop++) counts[hop]++;
		}
		return counts;
	}

	private end(tone: Tone): void {
		const hops = tone.lastHop + 1 - tone.firstHop;
		if (hops >= MIN_SECONDS * this.hopsPerSecond) this.ended.push(tone);
	}

	/** Share of the time around a tone in which its frequency sounds. */
	private shareAround({ bin, firstHop, lastHop }: Tone, byBin: Map<number, Tone[]>): number {
		const reach = HUM_REACH_SECONDS * this.hopsPerSecond;
		const from = Math.max(0, (firstHop + lastHop) / 2 - reach);
		const to = Math.min(this.hop, from + 2 * reach);
		let hops = 0;
		for (const place of [bin - 1, bin, bin + 1]) {
			for (const other of byBin.get(place) ?? []) {
				hops += Math.max(0, Math.min(to, other.lastHop + 1) - Math.max(from, other.firstHop));
			}
		}
		return hops / Math.max(reach, to - from);
	}
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
