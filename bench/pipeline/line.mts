import type { Time } from '../../api/time.ts';

/** A line to the network. Transfers that are under way together share it evenly. */
export class Line {
	private readonly underWay = new Set<{ leftBytes: number }>();

	private progressedAtMs = 0;

	/** Ends the sleeps of all transfers when their share changes. */
	private change = new AbortController();

	constructor(
		private readonly time: Time,
		private readonly bytesPerSecond: number,
	) {}

	/** Resolves when `sizeBytes` have passed, or the signal is aborted. */
	async pass(sizeBytes: number, signal?: AbortSignal): Promise<void> {
		const own = { leftBytes: sizeBytes };
		this.changeShares(() => this.underWay.add(own));
		while (own.leftBytes > 0 && !signal?.aborted) {
			const leftMs = (own.leftBytes * this.underWay.size * 1_000) / this.bytesPerSecond;
			const { signal: changed } = this.change;
			const ends = signal ? AbortSignal.any([signal, changed]) : changed;
			await this.time.sleep(Math.ceil(leftMs), ends);
			this.progress();
		}
		this.changeShares(() => this.underWay.delete(own));
	}

	private changeShares(change: () => unknown): void {
		this.progress();
		change();
		this.change.abort();
		this.change = new AbortController();
	}

	private progress(): void {
		const nowMs = this.time.now();
		const bytesEach =
			((nowMs - this.progressedAtMs) * this.bytesPerSecond) / 1_000 / this.underWay.size;
		for (const transfer of this.underWay) transfer.leftBytes -= bytesEach;
		this.progressedAtMs = nowMs;
	}
}
