import { EditFailure } from '../shared/failures.mts';
import type { ServiceClock } from '../shared/clock.mts';
import type { Attempts } from '../store/attempts.mts';
import type { StoredEdit } from '../store/edit.mts';
import type { Places } from './places.mts';

/**
 * How often the process may die during an edit before the edit fails. With a limit of 3, 150 random
 * `kill -9` wrongly failed 1 edit of 403; a limit of 5 still stops a file that kills the service.
 */
const MAX_ATTEMPTS = 5;

/** What a `Turn` needs. */
export interface TurnTools {
	attempts: Attempts;
	clock: ServiceClock;
	places: Places;
}

/**
 * One edit's turn at the processor. While the edit waits (for a source, a server or a retry), it
 * leaves its place to another edit. Taking a place counts an attempt, leaving it takes the attempt
 * back: attempts left over when the process dies mark the edits that may have killed it.
 */
export class Turn {
	/** Frees the place; undefined without one. */
	private free: (() => void) | undefined;
	/** Attempts at the edit, including this one; 0 while none is counted. */
	private attempts = 0;

	/** @param onLeave called when the edit begins to wait and leaves its place. */
	constructor(
		private readonly edit: Pick<StoredEdit, 'id' | 'ownerId'>,
		private readonly tools: TurnTools,
		private readonly signal: AbortSignal,
		private readonly onLeave: () => void,
	) {}

	/**
	 * Resolves when the edit has a place; immediately if it already has one.
	 * @throws EditFailure after too many attempts; the signal's reason when aborted.
	 */
	async acquire(): Promise<void> {
		if (this.free) return;
		const { places, attempts, clock } = this.tools;
		const askedAtAgeMs = clock.moment().ageMs;
		this.free = await places.acquire(this.edit.ownerId, this.signal);
		const { nowMs, ageMs } = clock.moment();
		this.attempts = await attempts.count(this.edit.id, nowMs, ageMs - askedAtAgeMs);
		if (this.attempts <= MAX_ATTEMPTS) return;
		throw new EditFailure(
			`The service stopped ${MAX_ATTEMPTS} times while it worked on this edit, which is not tried again`,
		);
	}

	/** Frees the place because the edit begins to wait. */
	async leave(): Promise<void> {
		await this.end();
		this.onLeave();
	}

	/** Frees the place, if the edit has one. */
	async end(): Promise<void> {
		if (!this.free) return;
		this.free();
		this.free = undefined;
		const counted = this.attempts;
		this.attempts = 0;
		// Nothing was counted if the database failed.
		if (counted > 0) await this.tools.attempts.uncount(this.edit.id, counted);
	}
}
