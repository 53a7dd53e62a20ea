import type { ServiceClock } from '../clock.mts';
import type { KnownEditStatus } from '../contract.mts';
import type { Log } from '../log.mts';
import type { JobStore } from './jobStore.mts';

/** What following an edit's statuses needs. */
export interface StatusRoom {
	store: JobStore;
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
		private readonly room: StatusRoom,
		private readonly signal?: AbortSignal,
		/** Of the claim under which the edit is worked on; null where one process works alone. */
		readonly token: string | null = null,
	) {
		this.#enteredAtMs = room.clock.nowMs();
	}

	/** Waits until the present status has lasted long enough. */
	async hold(): Promise<void> {
		const leftMs = this.#enteredAtMs + this.room.minimumStateMs - this.room.clock.nowMs();
		if (leftMs > 0) await this.room.clock.sleep(leftMs, this.signal);
		this.signal?.throwIfAborted();
	}

	/** Goes on to a status; nothing happens when the edit is in it already. */
	async enter(status: KnownEditStatus): Promise<void> {
		if (status === this.#status) return;
		await this.hold();
		this.#status = status;
		this.#enteredAtMs = this.room.clock.nowMs();
		this.room.store.setStatus(this.jobId, status, this.#enteredAtMs, this.token);
		this.say(status);
	}

	/** Logs a line about the edit with the real seconds since its work began. */
	say(what: string): void {
		const seconds = ((Date.now() - this.#beganAtRealMs) / 1000).toFixed(1);
		this.room.log(`edit ${this.jobId} ${what} ${seconds} s`);
	}
}
