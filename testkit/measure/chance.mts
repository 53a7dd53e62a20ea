/** Numbers that are the same in every run with the same seed. */
export class Chance {
	private state: number;

	constructor(seed: number) {
		this.state = Math.imul(seed, 0x9e3779b1);
	}

	/** 0 up to, not including, 1 (mulberry32). */
	next(): number {
		this.state = (this.state + 0x6d2b79f5) | 0;
		const state = this.state;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	between(low: number, high: number): number {
		return low + (high - low) * this.next();
	}

	/** A whole number, both ends included. */
	whole(low: number, high: number): number {
		return Math.floor(this.between(low, high + 1));
	}

	isTrue(share: number): boolean {
		return this.next() < share;
	}

	pick<T>(choices: readonly T[]): T {
		return choices[Math.floor(this.next() * choices.length)];
	}

	/** Normally distributed, mean 0, deviation 1. */
	normal(): number {
		return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
	}
}
