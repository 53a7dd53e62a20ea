import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';

import type { Claims } from '../store/claims.mts';
import { messageOf } from '../shared/failures.mts';
import type { EditQueue } from './queue.mts';
import { RedisWorker, type RedisWorkerOptions } from './redisWorker.mts';

/** How often unfinished edits that the queue may have forgotten are put into it again at least, real milliseconds. */
const REFILL_MS = 10_000;

/** How often is looked whether a deleted edit is let go, real milliseconds. */
const STOP_POLL_MS = 50;

/**
 * How long is waited until it is let go, real milliseconds. A worker that takes longer is dead or
 * held up, and without the row it can neither end the edit nor keep a file of it.
 */
const STOP_PATIENCE_MS = 5_000;

/**
 * The name of a storage folder's queue: folders that share a Redis must not get each other's edits.
 * @param linkSecret what the folder alone knows; it cannot be found out from the name.
 */
export function queueNameOf(linkSecret: string): string {
	const hash = createHash('sha256').update(`queue ${linkSecret}`).digest('hex');
	return `audio-editing-${hash.slice(0, 16)}`;
}

/** What the queue needs; with concurrency 0 this process leaves all work to others. */

/**
 * The queue on Redis, of the process that answers requests. It holds ids only, and none that the
 * database does not hold: whatever Redis forgets is put into it again, and an id that is in it
 * already stays what and where it is.
 */
export class RedisQueue implements EditQueue {
	readonly #closing = new AbortController();
	#isFilling = false;

	private constructor(
		private readonly queue: Queue,
		private readonly redis: Redis,
		private readonly claims: Claims,
		private readonly own: RedisWorkerOptions,
		private readonly worker: RedisWorker | undefined,
	) {}

	/** Opens the queue; Redis need not be there yet. */
	static async open(own: RedisWorkerOptions): Promise<RedisQueue> {
		const bull = await import('bullmq');
		const { redis, queueName, claims, workbench } = own;
		const queue = new bull.Queue(queueName, { connection: redis });
		queue.on('error', ({ message }) => {
			if (redis.status === 'ready') workbench.log(`queue: ${message}`);
		});
		const worker = own.concurrency === 0 ? undefined : await RedisWorker.start(own);
		return new RedisQueue(queue, redis, claims, own, worker);
	}

	resume(): void {
		this.redis.on('ready', () => {
			this.#refill();
		});
		void this.#keepRefilling();
	}

	add(id: string): void {
		void this.#put([id]);
	}

	async stop(id: string): Promise<void> {
		this.worker?.stop(id);
		// One that is under work cannot be taken out; who works on it sees that its row is gone. The
		// answer is not waited for: a Redis that is held up gives none, and nothing hangs on it.
		if (this.#isConnected()) void this.queue.remove(id).catch(() => 0);
		const endMs = Date.now() + STOP_PATIENCE_MS;
		while (this.claims.leftMs(id) > 0 && Date.now() < endMs) await wait(STOP_POLL_MS);
	}

	async close(): Promise<void> {
		this.#closing.abort();
		await this.worker?.close();
		if (this.redis.status === 'ready') await this.queue.close();
		this.redis.disconnect();
	}

	async #keepRefilling(): Promise<void> {
		const { signal } = this.#closing;
		while (!signal.aborted) {
			this.#refill();
			// Rejects only when aborted, which the loop's condition sees.
			await wait(Math.min(REFILL_MS, this.claims.leaseMs), undefined, { signal }).catch(
				() => undefined,
			);
		}
	}

	/** Puts every edit into the queue that is unfinished and under nobody's work. */
	#refill(): void {
		const { workbench } = this.own;
		try {
			this.claims.removeDead();
			// What a Redis that is held up is given again and again would be kept in memory until it answers.
			if (this.#isFilling) return;
			const ids = workbench.store.unfinishedIds().filter((id) => this.claims.leftMs(id) === 0);
			this.#isFilling = true;
			void this.#put(ids).finally(() => (this.#isFilling = false));
		} catch (trouble) {
			workbench.log(`queue: ${messageOf(trouble)}`);
		}
	}

	/** While Redis is away nothing is kept for it: the next filling brings all of it. */
	async #put(ids: readonly string[]): Promise<void> {
		if (ids.length === 0 || !this.#isConnected()) return;
		const jobs = ids.map((id) => ({ name: 'edit', data: {}, opts: { jobId: id } }));
		try {
			await this.queue.addBulk(jobs);
		} catch (trouble) {
			if (this.#isConnected()) this.own.workbench.log(`queue: ${messageOf(trouble)}`);
		}
	}

	#isConnected(): boolean {
		return this.redis.status === 'ready' && !this.#closing.signal.aborted;
	}
}
