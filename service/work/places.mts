/** An edit that waits for a place. */
interface Waiting {
	readonly ownerId: string;
	readonly begin: () => void;
}

/**
 * The places at the processor. Among waiting edits, one of the key with the fewest at work goes first,
 * and of these the one that came first. A key with none at work may have one place more than there are: other
 * keys' long edits, which run at lower priority, must not hold it up.
 */
export class Places {
	private inUse = 0;
	/** By owner. */
	private readonly atWork = new Map<string, number>();
	private readonly waiting: Waiting[] = [];

	/** @param places without the one more. */
	constructor(private readonly places: number) {}

	/**
	 * Resolves when an edit has a place, with a function that frees it.
	 * @throws the signal's reason when aborted before.
	 */
	async acquire(ownerId: string, signal: AbortSignal): Promise<() => void> {
		signal.throwIfAborted();
		const { promise, resolve, reject } = Promise.withResolvers<undefined>();
		const waiting: Waiting = {
			ownerId,
			begin: () => {
				resolve(undefined);
			},
		};
		const cancel = () => {
			this.waiting.splice(this.waiting.indexOf(waiting), 1);
			reject(signal.reason as Error);
		};
		signal.addEventListener('abort', cancel);
		this.waiting.push(waiting);
		this.assign();
		await promise.finally(() => {
			signal.removeEventListener('abort', cancel);
		});
		return () => {
			this.change(ownerId, -1);
			this.assign();
		};
	}

	private assign(): void {
		for (let next = this.next(); next !== undefined; next = this.next()) {
			this.waiting.splice(this.waiting.indexOf(next), 1);
			this.change(next.ownerId, 1);
			next.begin();
		}
	}

	/** Returns the edit that gets a place now, if any. */
	private next(): Waiting | undefined {
		const fewest = Math.min(...this.waiting.map(({ ownerId }) => this.countOf(ownerId)));
		const first = this.waiting.find(({ ownerId }) => this.countOf(ownerId) === fewest);
		const isFree = this.inUse < this.places || (this.inUse === this.places && fewest === 0);
		return isFree ? first : undefined;
	}

	private countOf(ownerId: string): number {
		return this.atWork.get(ownerId) ?? 0;
	}

	private change(ownerId: string, by: number): void {
		this.inUse += by;
		const count = this.countOf(ownerId) + by;
		if (count === 0) this.atWork.delete(ownerId);
		else this.atWork.set(ownerId, count);
	}
}
