/** Hands out the ids of unfinished edits to workers. The database remains the source of truth. */
export interface EditQueue {
	/** Starts the queue and restarts the queued and interrupted edits that an earlier process left. */
	resume(): Promise<void>;
	/** Queues an edit that is in the database. Never throws. */
	add(id: string, ownerId: string): void;
	/**
	 * Stops an edit whose row was deleted and resolves when nothing of it is running. Does nothing
	 * when the edit is not in progress.
	 */
	stop(id: string): Promise<void>;
	/** Stops all work in this process. Another worker, or the next start, picks up interrupted edits. */
	close(): Promise<void>;
}
