import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';

import { messageOf } from '../shared/failures.mts';
import type { Log } from '../shared/log.mts';
import type { Claim, Claims } from '../store/claims.mts';
import type { EditStore } from '../store/editStore.mts';

/** Real milliseconds between checks whether running edits were deleted or taken over. */
export const WATCH_MS = 250;

/** The run of an edit under a claim. */
export interface ClaimedRun {
	readonly claim: Claim;
	readonly stopping: AbortController;
	/** On this process's monotonic clock. */
	renewedAtMs: number;
}

/** Renews the claims of running edits, and stops the runs that lost theirs. */
export class ClaimWatch {
	constructor(
		private readonly claims: Claims,
		private readonly tools: { store: EditStore; log: Log },
	) {}

	/** Checks the runs every `WATCH_MS` until the signal aborts. Never throws. */
	async keepLooking(runs: () => Iterable<ClaimedRun>, signal: AbortSignal): Promise<void> {
		while (!signal.aborted) {
			try {
				await this.look([...runs()]);
			} catch (trouble) {
				this.tools.log(`cannot check the claims on running edits: ${messageOf(trouble)}`);
			}
			// Rejects only on abort, which ends the loop.
			await wait(WATCH_MS, undefined, { signal }).catch(() => undefined);
		}
	}

	/**
	 * Stops the runs that lost their claims or their rows, and renews the other claims when due.
	 * @throws DatabaseTrouble; it is then unknown who holds the claims.
	 */
	async look(runs: readonly ClaimedRun[]): Promise<void> {
		const going = runs.filter(({ stopping }) => !stopping.signal.aborted);
		const held = await this.claims.heldTokens(going.map(({ claim }) => claim));
		for (const run of going) {
			if (held.has(run.claim.token)) await this.renew(run);
			else await this.stop(run);
		}
	}

	private async renew(run: ClaimedRun): Promise<void> {
		if (performance.now() - run.renewedAtMs <= this.claims.leaseMs / 3) return;
		await this.claims.renew(run.claim);
		run.renewedAtMs = performance.now();
	}

	private async stop({ claim: { editId }, stopping }: ClaimedRun): Promise<void> {
		// A concurrent check may have stopped it already.
		if (stopping.signal.aborted) return;
		stopping.abort();
		const isThere = (await this.tools.store.ownerOf(editId)) !== undefined;
		const why = isThere ? 'another worker took it over' : 'it was deleted';
		this.tools.log(`edit ${editId} released: ${why}`);
	}
}
