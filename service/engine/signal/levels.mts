/** Levels are measured every 10 ms. */
export const HOPS_PER_SECOND = 100;

/** The level of digital silence, dBFS. */
export const SILENCE_DB = -120;

export const ANALYSIS_RATE_HZ = 16_000;
export const HOP_FRAMES = ANALYSIS_RATE_HZ / HOPS_PER_SECOND;

/** Frames a hop has at a sample rate. */
export function hopFramesAt(sampleRateHz: number): number {
	return Math.round(sampleRateHz / HOPS_PER_SECOND);
}

/** Returns a factor between those of the hops; `place` is counted in hops. */
export function factorAt(factors: Float32Array, place: number): number {
	const hop = Math.floor(place);
	const factor = factors[hop] ?? 1;
	return factor + ((factors[hop + 1] ?? factor) - factor) * (place - hop);
}

/** The level of the loudest channel of interleaved samples, dBFS. */
export function loudestChannelDb(samples: Float32Array, channels: number): number {
	let loudest = 0;
	for (let channel = 0; channel < channels; channel++) {
		loudest = Math.max(loudest, energyOf(samples, channel, samples.length, channels));
	}
	return energyDb((loudest * channels) / samples.length);
}

/** Returns the level of a mean square in dBFS, or at least that of digital silence. */
export function energyDb(meanSquare: number): number {
	return Math.max(SILENCE_DB, 10 * Math.log10(meanSquare + 1e-12));
}

/** The sum of the squares of every `step`th sample from `start` up to `end`. */
export function energyOf(samples: Float32Array, start: number, end: number, step = 1): number {
	let energy = 0;
	for (let i = start; i < end; i += step) energy += samples[i] * samples[i];
	return energy;
}

/** The mean of some values; of none, it is no number. */
export function mean(values: ArrayLike<number>): number {
	let sum = 0;
	for (let i = 0; i < values.length; i++) sum += values[i];
	return sum / values.length;
}

/** Returns what a share of the values, sorted, is below; 0 without values. */
export function quantile(values: Iterable<number>, share: number): number {
	const sorted = Array.from(values).sort((a, b) => a - b);
	return sorted[Math.floor(share * sorted.length)] ?? 0;
}

/** Returns how far a peak is from its place, by a parabola through it and its neighbors: -0.5 to 0.5. */
export function peakOffset(before: number, peak: number, after: number): number {
	const bend = before - 2 * peak + after;
	return bend < 0 ? Math.max(-0.5, Math.min(0.5, (before - after) / (2 * bend))) : 0;
}

/** Averages levels (as energies) over `reachHops` on each side, to smooth random variation. */
export function smoothed(levels: Float32Array, reachHops: number): Float32Array {
	const energies = Float64Array.from(levels, energyOfLevel);
	return levels.map((_, hop) => {
		const start = Math.max(0, hop - reachHops);
		const end = Math.min(levels.length, hop + reachHops + 1);
		let energy = 0;
		for (let i = start; i < end; i++) energy += energies[i];
		return levelOfEnergy(energy / (end - start));
	});
}

/** For every hop, the mean of the values around it: near the ends, of those that there are. */
export function meansAround(values: Uint8Array | Float32Array, reachHops: number): Float32Array {
	const means = new Float32Array(values.length);
	let sum = 0;
	for (let hop = -reachHops; hop < values.length; hop++) {
		sum += values[hop + reachHops] ?? 0;
		sum -= values[hop - reachHops - 1] ?? 0;
		const count = Math.min(hop + reachHops + 1, values.length) - Math.max(0, hop - reachHops);
		if (hop >= 0) means[hop] = sum / count;
	}
	return means;
}

/** Converts a gain in dB to an amplitude factor. */
export function factorOf(decibels: number): number {
	return 10 ** (decibels / 20);
}

/** The mean of levels as energies, in dB. */
export function meanDb(levels: ArrayLike<number>, start = 0, end = levels.length): number {
	let energy = 0;
	for (let i = start; i < end; i++) energy += energyOfLevel(levels[i] ?? SILENCE_DB);
	return levelOfEnergy(energy / Math.max(1, end - start));
}

function energyOfLevel(level: number): number {
	return 10 ** (level / 10);
}

function levelOfEnergy(energy: number): number {
	return 10 * Math.log10(energy + 1e-12);
}

/** The speech level: the mean of all levels that are at most 10 dB below the overall mean. */
export function speechLevelDb(levels: Float32Array): number {
	const gateDb = meanDb(levels) - 10;
	return meanDb(levels.filter((level) => level > gateDb));
}

/** The local noise floor: the 10th percentile of the 30 s around each hop, in dB. */
export function noiseFloorDb(levels: Float32Array): Float32Array {
	const reach = 15 * HOPS_PER_SECOND;
	const step = 2 * HOPS_PER_SECOND;
	const floor = new Float32Array(levels.length);
	const room = new Float32Array(2 * reach);
	for (let hop = 0; hop < levels.length; hop += step) {
		const middle = hop + step / 2;
		const from = Math.max(0, middle - reach);
		const around = room.subarray(0, Math.min(levels.length, middle + reach) - from);
		around.set(levels.subarray(from, middle + reach));
		floor.fill(nthSmallest(around, Math.floor(around.length / 10)) ?? SILENCE_DB, hop, hop + step);
	}
	return floor;
}

/**
 * Returns what would be at a place after sorting, and leaves the values in disorder. It takes a tenth
 * of the time of sorting (Hoare's selection).
 */
export function nthSmallest(values: Float32Array, place: number): number | undefined {
	let [first, last] = [0, values.length - 1];
	while (first < last) {
		const pivot = values[(first + last) >> 1];
		let low = first;
		let high = last;
		while (low <= high) {
			while (values[low] < pivot) low++;
			while (values[high] > pivot) high--;
			if (low > high) break;
			const lower = values[high];
			values[high] = values[low];
			values[low] = lower;
			low++;
			high--;
		}
		if (place <= high) last = high;
		else if (place >= low) first = low;
		else break;
	}
	return values.at(place);
}

/** Bisects a sorted list. Returns the place of the first element that is not before what is sought; its length if all are. */
export function firstFrom<T>(sorted: readonly T[], isBefore: (element: T) => boolean): number {
	let [first, last] = [0, sorted.length];
	while (first < last) {
		const middle = (first + last) >> 1;
		if (isBefore(sorted[middle])) first = middle + 1;
		else last = middle;
	}
	return first;
}
