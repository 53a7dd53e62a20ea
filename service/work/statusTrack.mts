import type { ServiceClock } from '../shared/clock.mts';
import type { KnownEditStatus } from '../shared/contract.mts';
import type { Log } from '../shared/log.mts';
import type { EditStore } from '../store/editStore.mts';

/** What following an edit's statuses needs. */
export interface StatusTools {
	store: EditStore;
	clock: ServiceClock;
	log: Log;
	/** Service milliseconds every status lasts at least. */
	minimumStateMs: number;
}

/** Takes one edit from status to status: holds each as long as asked for, writes and logs it. */
export class StatusTrack {
	readonly #beganAtRealMs = Date.now();
	#status: KnownEditStatus = 'PENDING';
	#enteredAtMs: number;

	constructor(
		readonly jobId: string,
		private readonly tools: StatusTools,
		private readonly signal?: AbortSignal,
		/** Of the claim under which the edit is worked on; null where one process works alone. */
		readonly token: string | null = null,
	) {
		this.#enteredAtMs = tools.clock.nowMs();
	}

	/** Waits until the present status has lasted long enough. */
	async hold(): Promise<void> {
		const leftMs = this.#enteredAtMs + this.tools.minimumStateMs - this.tools.clock.nowMs();
		if (leftMs > 0) await this.tools.clock.sleep(leftMs, this.signal);
		this.signal?.throwIfAborted();
	}

	/** Goes on to a status; nothing happens when the edit is in it already. */
	async enter(status: KnownEditStatus): Promise<void> {
		if (status === this.#status) return;
		await this.hold();
		this.#status = status;
		this.#enteredAtMs = this.tools.clock.nowMs();
		this.tools.store.setStatus(this.jobId, status, this.#enteredAtMs, this.token);
		this.say(status);
	}

	/** Logs a line about the edit with the real seconds since its work began. */
	say(what: string): void {
		const seconds = ((Date.now() - this.#beganAtRealMs) / 1000).toFixed(1);
		this.tools.log(`edit ${this.jobId} ${what} ${seconds} s`);
	}
}
