import PQueue from 'p-queue';

import type { EditQueue } from './queue.mts';
import type { EditTools } from '../work/editTools.mts';
import { endWithFailure } from '../work/endWithFailure.mts';
import { waitsForReview } from '../store/edit.mts';
import { runEdit } from '../work/runEdit.mts';

/** Edits of one key in progress at the same time. Most of them wait for a source or a retry. */
const MAX_UNDER_WAY = 50;

/**
 * The queue of a single process, in order of submission. `TurnTools.places` limits how many edits
 * use the processor at once. The queue itself is stored in the database.
 */
export class InProcessQueue implements EditQueue {
	/** One lane per key, so that a key with hanging sources does not hold up other keys. */
	private readonly lanes = new Map<string, PQueue>();
	/** Edits in progress. */
	private readonly running = new Map<string, { stopping: AbortController; done: Promise<void> }>();
	private closed = false;

	constructor(private readonly tools: EditTools) {}

	/** Restarts the queued and interrupted edits that an earlier process left. */
	async resume(): Promise<void> {
		const { store, clock, log } = this.tools;
		const interrupted = await store.interrupt(clock.nowMs());
		for (const { id, ownerId } of await store.unfinished()) {
			log(`edit ${id} ${interrupted.has(id) ? 'RETRY' : 'PENDING'} after a restart`);
			this.add(id, ownerId);
		}
	}

	add(id: string, ownerId: string): void {
		const lane = this.lanes.get(ownerId) ?? new PQueue({ concurrency: MAX_UNDER_WAY });
		this.lanes.set(ownerId, lane);
		// An unreadable row fails its edit, not the process.
		lane
			.add(() => this.run(id))
			.catch((error: unknown) => endWithFailure(id, error, this.tools))
			.finally(() => {
				if (lane.size + lane.pending === 0) this.lanes.delete(ownerId);
			});
	}

	async stop(id: string): Promise<void> {
		const running = this.running.get(id);
		running?.stopping.abort();
		// The lane handles its errors.
		await running?.done.catch(() => undefined);
	}

	async close(): Promise<void> {
		this.closed = true;
		for (const lane of this.lanes.values()) lane.clear();
		await Promise.all([...this.running.keys()].map((id) => this.stop(id)));
	}

	private async run(id: string): Promise<void> {
		// A draft may be approved while its run is not quite over.
		await this.running.get(id)?.done.catch(() => undefined);
		if (this.closed) return;
		const stopping = new AbortController();
		const done = this.work(id, stopping.signal);
		this.running.set(id, { stopping, done });
		try {
			await done;
		} finally {
			this.running.delete(id);
		}
	}

	private async work(id: string, signal: AbortSignal): Promise<void> {
		const edit = await this.tools.store.find(id);
		if (edit === undefined || waitsForReview(edit) || signal.aborted) return;
		await runEdit(edit, this.tools, signal);
	}
}
