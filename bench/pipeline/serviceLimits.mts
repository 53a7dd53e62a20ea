import type { Time } from '../../api/time.ts';

const MINUTE_MS = 60_000;

/** A service's rate limit: a number of requests in any 60 s. */
export class Window {
	private readonly admittedAtMs: number[] = [];

	constructor(
		private readonly time: Time,
		private readonly perMinute: number,
	) {}

	/** Counts a request, and returns whether it is admitted. */
	admits(): boolean {
		if (this.freeAtMs() > this.time.now()) return false;
		this.admittedAtMs.push(this.time.now());
		return true;
	}

	/** When the next request is admitted, in milliseconds. */
	freeAtMs(): number {
		const oldest = this.admittedAtMs.at(-this.perMinute);
		const isFull = this.admittedAtMs.length >= this.perMinute && oldest !== undefined;
		return isFull ? oldest + MINUTE_MS : 0;
	}
}

/** Lets requests through as soon as a rate limit allows, the more urgent ones first. */
export class Gate {
	private readonly window: Window;

	private readonly waiting: Array<{ readonly rank: number; readonly pass: () => void }> = [];

	private isOpening = false;

	constructor(
		private readonly time: Time,
		perMinute: number,
	) {
		this.window = new Window(time, perMinute);
	}

	/** Resolves when a request of this rank may begin: 0 goes before 1. */
	async wait(rank: number): Promise<void> {
		await new Promise<void>((pass) => {
			this.waiting.push({ rank, pass });
			this.waiting.sort((one, other) => one.rank - other.rank);
			if (!this.isOpening) void this.open();
		});
	}

	private async open(): Promise<void> {
		this.isOpening = true;
		while (this.waiting.length > 0) {
			const waitMs = this.window.freeAtMs() - this.time.now();
			if (waitMs > 0) await this.time.sleep(waitMs);
			else if (this.window.admits()) this.waiting.shift()?.pass();
		}
		this.isOpening = false;
	}
}
