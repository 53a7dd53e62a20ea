import type { ServiceClock } from '../shared/clock.mts';
import type { KnownEditStatus } from '../shared/contract.mts';
import type { Log } from '../shared/log.mts';
import type { EditStore } from '../store/editStore.mts';

/** Logged instead of the final status when the row is gone or another process has the claim. */
export const LOST = 'lost its claim or its row: final status not written';

/** What a `StatusTrack` needs. */
export interface StatusTools {
	store: EditStore;
	clock: ServiceClock;
	log: Log;
	/** Minimum service milliseconds in each status. */
	minStateMs: number;
}

/** Moves one edit from status to status: writes and logs each, and keeps it for the minimum time. */
export class StatusTrack {
	private readonly beganAtTick = performance.now();
	private current: KnownEditStatus = 'PENDING';
	/** On the clock that never jumps: setting the machine's clock back must not lengthen a status. */
	private enteredAtAgeMs: number;
	private recognizedPercent: number | null = null;

	constructor(
		readonly editId: string,
		private readonly tools: StatusTools,
		private readonly signal?: AbortSignal,
		/** The token of the claim on the edit; null without `--queue`. */
		readonly token: string | null = null,
	) {
		this.enteredAtAgeMs = tools.clock.moment().ageMs;
	}

	get status(): KnownEditStatus {
		return this.current;
	}

	/** Waits until the current status has lasted the minimum time. */
	async awaitMinState(): Promise<void> {
		const { ageMs } = this.tools.clock.moment();
		const leftMs = this.enteredAtAgeMs + this.tools.minStateMs - ageMs;
		if (leftMs > 0) await this.tools.clock.sleep(leftMs, this.signal);
		this.signal?.throwIfAborted();
	}

	/** Moves on to a status; does nothing if the edit already has it. */
	async enter(status: KnownEditStatus): Promise<void> {
		if (status === this.current) return;
		await this.awaitMinState();
		this.current = status;
		this.recognizedPercent = null;
		const { nowMs, ageMs } = this.tools.clock.moment();
		this.enteredAtAgeMs = ageMs;
		await this.tools.store.setStatus(this.editId, status, nowMs, this.token);
		this.say(status);
	}

	/** Writes how much of the speech is recognized, 0 to 1, and logs each tenth; undefined when nothing is. */
	async tellRecognized(share: number | undefined): Promise<void> {
		const percent = share === undefined ? null : Math.floor(100 * share);
		const before = this.recognizedPercent;
		if (percent === before) return;
		this.recognizedPercent = percent;
		await this.tools.store.setRecognized(this.editId, percent, this.token);
		const tenth = Math.floor((percent ?? 0) / 10);
		if (tenth > Math.floor((before ?? 0) / 10)) this.say(`is heard to ${10 * tenth} %`);
	}

	/** Logs a line about the edit, with the real seconds since its run began. */
	say(what: string): void {
		const seconds = ((performance.now() - this.beganAtTick) / 1000).toFixed(1);
		this.tools.log(`edit ${this.editId} ${what} ${seconds} s`);
	}
}
