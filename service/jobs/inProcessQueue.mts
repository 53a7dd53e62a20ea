import PQueue from 'p-queue';

import type { JobQueue } from './queue.mts';
import type { JobRoom } from './run.mts';
import { endWithFailure, runJob } from './runJob.mts';

/** An edit that is being worked on. */
interface RunningJob {
	stopping: AbortController;
	done: Promise<void>;
}

/** The queue of one process: in the order of submission, so many at once. The database remembers it. */
export class InProcessQueue implements JobQueue {
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

	add(id: string): void {
		// A row that cannot be read ends its edit, never the process.
		this.#waiting
			.add(() => this.#run(id))
			.catch((error: unknown) => endWithFailure(id, error, this.room));
	}

	async stop(id: string): Promise<void> {
		const running = this.#running.get(id);
		running?.stopping.abort();
		await running?.done;
	}

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
