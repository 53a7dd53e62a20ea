import PQueue from 'p-queue';

import type { EditQueue } from './queue.mts';
import type { Workbench } from '../work/workbench.mts';
import { endWithFailure, runEdit } from '../work/runEdit.mts';

/** Edits of one key that are under way at once, most of them waiting: for a source, or the next try. */
const MOST_UNDER_WAY = 50;

/** An edit that is being worked on. */
interface RunningEdit {
	stopping: AbortController;
	done: Promise<void>;
}

/**
 * The queue of one process, in the order of submission. The slots limit how many edits use the
 * processor at once. The database remembers the queue.
 */
export class InProcessQueue implements EditQueue {
	/** A lane for each key: one whose sources hang holds up no other. */
	readonly #lanes = new Map<string, PQueue>();
	readonly #running = new Map<string, RunningEdit>();
	#closed = false;

	constructor(private readonly workbench: Workbench) {}

	/** Takes up what an earlier process left: queued and interrupted edits, from the beginning. */
	resume(): void {
		const interrupted = this.workbench.store.interrupt(this.workbench.clock.nowMs());
		for (const id of this.workbench.store.unfinishedIds()) {
			this.workbench.log(`edit ${id} ${interrupted.has(id) ? 'RETRY' : 'PENDING'} after a restart`);
			this.add(id);
		}
	}

	add(id: string): void {
		const ownerId = this.workbench.store.ownerOf(id) ?? '';
		const lane = this.#lanes.get(ownerId) ?? new PQueue({ concurrency: MOST_UNDER_WAY });
		this.#lanes.set(ownerId, lane);
		// A row that cannot be read ends its edit, never the process.
		lane
			.add(() => this.#run(id))
			.catch((error: unknown) => endWithFailure(id, error, this.workbench))
			.finally(() => {
				if (lane.size + lane.pending === 0) this.#lanes.delete(ownerId);
			});
	}

	async stop(id: string): Promise<void> {
		const running = this.#running.get(id);
		running?.stopping.abort();
		await running?.done;
	}

	async close(): Promise<void> {
		this.#closed = true;
		for (const lane of this.#lanes.values()) lane.clear();
		await Promise.all([...this.#running.keys()].map((id) => this.stop(id)));
	}

	async #run(id: string): Promise<void> {
		const job = this.#closed ? undefined : this.workbench.store.find(id);
		if (job === undefined) return;
		const stopping = new AbortController();
		const done = runEdit(job, this.workbench, stopping.signal);
		this.#running.set(id, { stopping, done });
		try {
			await done;
		} finally {
			this.#running.delete(id);
		}
	}
}
