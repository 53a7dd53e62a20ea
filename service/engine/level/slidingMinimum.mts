/** The minimum of the most recent values, in constant time per value (a monotonic queue). */
export class SlidingMinimum {
	private readonly values: Float64Array;
	private readonly indices: Float64Array;
	private readonly length: number;
	private readonly mask: number;
	private head = 0;
	private tail = 0;
	private index = 0;

	/** @param length number of recent values to consider. */
	constructor(length: number) {
		this.length = length;
		// A power of two, so that ring positions need no division.
		const size = 2 ** Math.ceil(Math.log2(length + 1));
		this.values = new Float64Array(size);
		this.indices = new Float64Array(size);
		this.mask = size - 1;
	}

	/** Adds a value and returns the minimum of the most recent ones, including it. */
	push(value: number): number {
		const mask = this.mask;
		while (this.tail > this.head && this.values[(this.tail - 1) & mask] >= value) {
			this.tail--;
		}
		this.values[this.tail & mask] = value;
		this.indices[this.tail & mask] = this.index;
		this.tail++;
		if (this.indices[this.head & mask] <= this.index - this.length) this.head++;
		this.index++;
		return this.values[this.head & mask];
	}
}
