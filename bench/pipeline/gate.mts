import type { Time } from '../../api/time.ts';
import { RollingMinute } from '../../testkit/service/fake/limits.ts';

/** Lets requests through as soon as a rate limit allows, the more urgent ones first. */
export class Gate {
	private readonly window: RollingMinute;

	private readonly waiting: Array<{ readonly rank: number; readonly pass: () => void }> = [];

	private isOpening = false;

	constructor(
		private readonly time: Time,
		perMinute: number,
	) {
		this.window = new RollingMinute(time, perMinute);
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
