import { EditFailure } from '../shared/failures.mts';
import type { EditStore } from '../store/editStore.mts';

/**
 * An edit that takes the whole process down with it is not begun more often than this. Deaths from
 * outside hit edits, too: over 150 random kill -9, three in a row ended 1 edit of 403. Five in a row
 * are much rarer, and a file that kills the service still ends.
 */
const MAXIMUM_ATTEMPTS = 5;

/** The places at which edits use the processor; who waits for one is served in order. */
export class Slots {
	#free: number;
	readonly #waiting: Array<() => void> = [];

	constructor(count: number) {
		this.#free = count;
	}

	/** Resolves when there is a place. @throws the signal's reason when aborted. */
	async take(signal: AbortSignal): Promise<void> {
		signal.throwIfAborted();
		if (this.#free > 0) {
			this.#free -= 1;
			return;
		}
		await new Promise<void>((resolve, reject) => {
			const go = () => {
				signal.removeEventListener('abort', stop);
				resolve();
			};
			const stop = () => {
				this.#waiting.splice(this.#waiting.indexOf(go), 1);
				reject(signal.reason instanceof Error ? signal.reason : new Error('Stopped'));
			};
			this.#waiting.push(go);
			signal.addEventListener('abort', stop, { once: true });
		});
	}

	/** Gives a place to who waits longest. */
	give(): void {
		const next = this.#waiting.shift();
		if (next === undefined) this.#free += 1;
		else next();
	}
}

/** What taking turns needs. */
export interface TurnTools {
	store: EditStore;
	slots: Slots;
}

/**
 * One edit's turn at the processor. It leaves its place while it waits for others (a source, a
 * server, the next try), so that nobody waits for their trouble. An attempt counts while the edit
 * has its place: what is left of the count when the process dies shows which edits may have killed it.
 */
export class Turn {
	#isOn = false;

	/** @param onLeave called when the edit waits for others. */
	constructor(
		private readonly jobId: string,
		private readonly tools: TurnTools,
		private readonly signal: AbortSignal,
		private readonly onLeave: () => void,
	) {}

	/**
	 * Resolves when the edit has its place; at once when it has it already.
	 * @throws EditFailure for an edit that was begun too often, the signal's reason when aborted.
	 */
	async take(): Promise<void> {
		if (this.#isOn) return;
		const { slots, store } = this.tools;
		await slots.take(this.signal);
		this.#isOn = true;
		if (store.countAttempt(this.jobId) <= MAXIMUM_ATTEMPTS) return;
		throw new EditFailure(
			`The service ended ${MAXIMUM_ATTEMPTS} times in the middle of this edit; it is not tried again`,
		);
	}

	/** The edit waits for others from here on. */
	leave(): void {
		this.end();
		this.onLeave();
	}

	/** Gives the place back, if the edit has one. */
	end(): void {
		if (!this.#isOn) return;
		this.#isOn = false;
		this.tools.slots.give();
		this.tools.store.takeBackAttempt(this.jobId);
	}
}
