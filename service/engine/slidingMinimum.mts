/** The minimum of the last values, in constant time for each: a queue that only ever rises. */
export class SlidingMinimum {
	readonly #values: Float64Array;
	readonly #indices: Float64Array;
	readonly #length: number;
	#head = 0;
	#tail = 0;
	#index = 0;

	/** @param length how many of the last values count. */
	constructor(length: number) {
		this.#length = length;
		this.#values = new Float64Array(length + 1);
		this.#indices = new Float64Array(length + 1);
	}

	/** Takes the next value and returns the minimum of the last ones with it. */
	push(value: number): number {
		const size = this.#values.length;
		while (this.#tail > this.#head && this.#values[(this.#tail - 1) % size] >= value) {
			this.#tail--;
		}
		this.#values[this.#tail % size] = value;
		this.#indices[this.#tail % size] = this.#index;
		this.#tail++;
		if (this.#indices[this.#head % size] <= this.#index - this.#length) this.#head++;
		this.#index++;
		return this.#values[this.#head % size];
	}
}
