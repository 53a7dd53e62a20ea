/** Lets a number of pieces of work run at once; others wait, in the order in which they came. */
export class Slots {
	private readonly waiting: Array<() => void> = [];

	/** @param free how many pieces of work may run at once, from 1 */
	constructor(private free: number) {}

	/** Takes a slot when its turn comes; whoever has one gives it back. */
	async take(): Promise<void> {
		if (this.free > 0) this.free -= 1;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
	}

	giveBack(): void {
		const next = this.waiting.shift();
		if (next === undefined) this.free += 1;
		else next();
	}
}
