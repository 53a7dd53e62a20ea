/** The queue of edits, for any worker. The database is the truth; a queue hands out its ids. */
export interface EditQueue {
	/** Begins, and takes up what an earlier process left: queued and interrupted edits, from the beginning. */
	resume(): void;
	/** Queues an edit that is in the database. Never throws. */
	add(id: string): void;
	/**
	 * Stops the work on an edit whose row is gone, if there is any, and resolves when nothing of it
	 * runs any more.
	 */
	stop(id: string): Promise<void>;
	/** Stops everything of this process; interrupted edits are taken up by the next that works. */
	close(): Promise<void>;
}
