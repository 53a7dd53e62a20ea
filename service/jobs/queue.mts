import PQueue from 'p-queue';

import type { JobRoom } from './run.mts';
import { endWithFailure, runJob } from './runJob.mts';

/** An edit that is being worked on. */
interface RunningJob {
	stopping: AbortController;
	done: Promise<void>;
}

/** The queue of edits: in the order of submission, so many at once. The database remembers it. */
export class JobQueue {
	readonly #waiting: PQueue;
	readonly #running = new Map<string, RunningJob>();
	#closed = false;

	constructor(
		private readonly room: JobRoom,
		concurrency: number,
	) {
		this.#waiting = new PQueue({ concurrency });
	}

	/** Takes up what an earlier process left: queued and interrupted edits, from the beginning. */
	resume(): void {
		for (const id of this.room.store.unfinishedIds()) {
			this.room.store.setStatus(id, 'PENDING', this.room.clock.nowMs());
			this.room.log(`edit ${id} PENDING again after a restart`);
			this.add(id);
		}
	}

	/** Queues an edit that is in the database. */
	add(id: string): void {
		// A row that cannot be read ends its edit, never the process.
		this.#waiting
			.add(() => this.#run(id))
			.catch((error: unknown) => endWithFailure(id, error, this.room));
	}

	/** Stops the work on an edit, if there is any, and resolves when nothing of it runs any more. */
	async stop(id: string): Promise<void> {
		const running = this.#running.get(id);
		running?.stopping.abort();
		await running?.done;
	}

	/** Stops everything; interrupted edits are taken up at the next start. */
	async close(): Promise<void> {
		this.#closed = true;
		this.#waiting.clear();
		await Promise.all([...this.#running.keys()].map((id) => this.stop(id)));
	}

	async #run(id: string): Promise<void> {
		const job = this.#closed ? undefined : this.room.store.find(id);
		if (job === undefined) return;
		const stopping = new AbortController();
		const done = runJob(job, this.room, stopping.signal);
		this.#running.set(id, { stopping, done });
		try {
			await done;
		} finally {
			this.#running.delete(id);
		}
	}
}
