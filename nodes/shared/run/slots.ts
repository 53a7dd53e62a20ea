/** Lets a number of pieces of work run at once; others wait, in the order in which they came. */
export class Slots {
	private readonly waiting: Array<() => void> = [];

	/** @param free how many pieces of work may run at once, from 1 */
	constructor(private free: number) {}

	/** Does a piece of work when its turn comes. */
	async run<T>(work: () => Promise<T>): Promise<T> {
		if (this.free > 0) this.free -= 1;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
		try {
			return await work();
		} finally {
			const next = this.waiting.shift();
			if (next === undefined) this.free += 1;
			else next();
		}
	}
}
