/** Frames averaged into one block, about 85 ms. */
const BLOCK_FRAMES = 8;

/** Blocks remembered, 3.6 s: less than the warm-up of a stretch. */
const BLOCKS = 42;

/** Even while somebody speaks, a band holds only noise in this share of the blocks. */
const QUIET_SHARE = 0.2;

/** The mean power of noise over the power that this share of its blocks stays below. */
const BIAS = 1.3;

/** Tracks the power of the noise in each band over the last 3.6 s. */
export class NoiseFloor {
	/** Mean power of the noise, for each band. */
	readonly powers: Float64Array;
	private readonly sums: Float64Array;
	private readonly recent: readonly Float64Array[];
	private readonly sorted: readonly Float64Array[];
	private frames = 0;
	private blocks = 0;

	constructor(bands: number) {
		const forEachBand = () => Array.from({ length: bands }, () => new Float64Array(BLOCKS));
		this.powers = new Float64Array(bands);
		this.sums = new Float64Array(bands);
		this.recent = forEachBand();
		this.sorted = forEachBand();
	}

	/** Takes the powers of the bands in the next frame. */
	write(powers: Float64Array): void {
		for (let band = 0; band < powers.length; band++) this.sums[band] += powers[band];
		this.frames++;
		// The first block counts at once: there is nothing better yet.
		const isBlock = this.frames % BLOCK_FRAMES === 0;
		if (isBlock) this.endBlock();
		else if (this.blocks === 0) this.powers.set(this.sums.map((sum) => sum / this.frames));
	}

	private endBlock(): void {
		const known = Math.min(this.blocks, BLOCKS);
		const place = this.blocks % BLOCKS;
		for (let band = 0; band < this.powers.length; band++) {
			const [recent, sorted] = [this.recent[band], this.sorted[band]];
			const power = this.sums[band] / BLOCK_FRAMES;
			const left = known < BLOCKS ? known : without(sorted, recent[place]);
			insert(sorted, left, power);
			recent[place] = power;
			this.sums[band] = 0;
			this.powers[band] = BIAS * sorted[Math.floor(QUIET_SHARE * (left + 1))];
		}
		this.blocks++;
	}
}

/** Takes a value out of a full sorted array; returns how many are left. */
function without(sorted: Float64Array, value: number): number {
	const index = sorted.indexOf(value);
	sorted.copyWithin(index, index + 1);
	return sorted.length - 1;
}

/** Puts a value into a sorted array of which `count` places are in use. */
function insert(sorted: Float64Array, count: number, value: number): void {
	let index = count;
	while (index > 0 && sorted[index - 1] > value) {
		sorted[index] = sorted[index - 1];
		index--;
	}
	sorted[index] = value;
}
