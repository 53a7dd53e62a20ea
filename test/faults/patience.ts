/** The one limit on the real clock, for all cases of a file: a busy machine needs many minutes for them. */
const PATIENCE_MS = 30 * 60_000;

/** Ends every wait of a file that nothing else would end. */
export class Patience {
	private readonly limit = AbortSignal.timeout(PATIENCE_MS);

	private readonly over = new Promise<undefined>((resolve) =>
		this.limit.addEventListener('abort', () => resolve(undefined)),
	);

	/** Whether the limit has passed, so that nothing more should begin. */
	get isOver(): boolean {
		return this.limit.aborted;
	}

	/** Returns the result of `work`; undefined if it has not come when the limit passes. */
	async waitFor<T>(work: Promise<T>): Promise<T | undefined> {
		return await Promise.race([work, this.over]);
	}
}
