import { setTimeout as wait } from 'node:timers/promises';

import type { Job, Queue } from 'bullmq';
import { messageOf } from '../shared/failures.mts';
import type { StoredEdit } from '../store/edit.mts';
import { queuedOf, type QueuedEdit } from './priorities.mts';
import type { EditQueue } from './queue.mts';
import { RedisWorker, type RedisWorkerOptions } from './redisWorker.mts';

/** Real milliseconds between refills: unfinished edits that Redis may have lost are queued again. */
const REFILL_MS = 10_000;

/** A statement that takes longer, in real milliseconds, has waited out a database outage. */
const OUTAGE_MS = 2_000;

/** Real milliseconds between checks whether a worker has released a deleted edit. */
const STOP_POLL_MS = 50;

/**
 * Real milliseconds to wait for that release. A worker that takes longer is dead or stalled, and
 * without the row it can neither finish the edit nor keep its files.
 */
const STOP_PATIENCE_MS = 5_000;

/**
 * The Redis queue, as used by the process that answers requests. It holds only edit ids. Whatever
 * Redis loses is queued again from the database; adding an id that is still queued changes nothing.
 */
export class RedisQueue implements EditQueue {
	private readonly closing = new AbortController();
	private isFilling = false;
	/** The priorities that Redis was told, by edit. */
	private told: ReadonlyMap<string, number> = new Map();

	private constructor(
		private readonly queue: Queue,
		private readonly own: RedisWorkerOptions,
		private readonly worker: RedisWorker | undefined,
	) {}

	/** Opens the queue, even while Redis is down. With concurrency 0, other processes do all the work. */
	static async open(own: RedisWorkerOptions): Promise<RedisQueue> {
		const bull = await import('bullmq');
		const { redis, queueName, tools } = own;
		const queue = new bull.Queue(queueName, { connection: redis });
		queue.on('error', ({ message }) => {
			if (redis.status === 'ready') tools.log(`queue: ${message}`);
		});
		const worker = own.concurrency === 0 ? undefined : await RedisWorker.start(own);
		return new RedisQueue(queue, own, worker);
	}

	async resume(): Promise<void> {
		this.own.redis.on('ready', () => void this.refill());
		void this.keepRefilling();
		await Promise.resolve();
	}

	add(id: string, ownerId: string): void {
		void this.addLast({ id, ownerId });
	}

	async stop(id: string): Promise<void> {
		this.worker?.stop(id);
		// Redis keeps an edit that a worker holds; that worker notices the missing row. Not awaited: a
		// stalled Redis would never answer, and nothing depends on the answer.
		if (this.isConnected()) void this.queue.remove(id).catch(() => 0);
		const endMs = performance.now() + STOP_PATIENCE_MS;
		while ((await this.own.claims.leftMs(id)) > 0 && performance.now() < endMs)
			await wait(STOP_POLL_MS);
	}

	async close(): Promise<void> {
		this.closing.abort();
		await this.worker?.close();
		if (this.own.redis.status === 'ready') await this.queue.close();
		this.own.redis.disconnect();
	}

	private async keepRefilling(): Promise<void> {
		const { signal } = this.closing;
		while (!signal.aborted) {
			void this.refill();
			// Rejects only on abort, which ends the loop.
			const pauseMs = Math.min(REFILL_MS, this.own.claims.leaseMs);
			await wait(pauseMs, undefined, { signal }).catch(() => undefined);
		}
	}

	/** Queues every unfinished edit that no worker has claimed. */
	private async refill(): Promise<void> {
		// While Redis stalls, the client buffers every command; repeated refills would fill the memory.
		if (this.isFilling) return;
		const { tools } = this.own;
		const beganAt = performance.now();
		this.isFilling = true;
		try {
			await this.own.claims.removeDead();
			// After a database outage, let the workers renew their claims before the next refill.
			if (performance.now() - beganAt > OUTAGE_MS) return;
			const unfinished = await tools.store.unfinished();
			const edits = queuedOf(unfinished, await this.own.claims.claimedIds());
			await this.put(edits);
			await this.tellPriorities(edits);
		} catch (trouble) {
			tools.log(`queue: ${messageOf(trouble)}`);
		} finally {
			this.isFilling = false;
		}
	}

	/** Queues an edit behind all others of its key. Never throws: the next refill queues it as well. */
	private async addLast(edit: Pick<StoredEdit, 'id' | 'ownerId'>): Promise<void> {
		const { store, log } = this.own.tools;
		try {
			await this.put([{ id: edit.id, priority: await store.countBefore(edit) }]);
		} catch (trouble) {
			log(`queue: ${messageOf(trouble)}`);
		}
	}

	/** Adds edits to Redis. Does nothing while Redis is down: the next refill adds them. */
	private async put(edits: readonly QueuedEdit[]): Promise<void> {
		if (edits.length === 0 || !this.isConnected()) return;
		const jobs = edits.map(({ id, priority }) => ({
			name: 'edit',
			data: {},
			opts: { jobId: id, priority },
		}));
		try {
			await this.queue.addBulk(jobs);
		} catch (trouble) {
			if (this.isConnected()) this.own.tools.log(`queue: ${messageOf(trouble)}`);
		}
	}

	/** Corrects the priorities of queued edits: some before them have ended, or were deleted. */
	private async tellPriorities(edits: readonly QueuedEdit[]): Promise<void> {
		if (!this.isConnected()) return;
		const changed = edits.filter(({ id, priority }) => this.told.get(id) !== priority);
		const telling = changed.map(async ({ id, priority }) => {
			const job: Job | undefined = await this.queue.getJob(id);
			if (job !== undefined && job.priority !== priority) await job.changePriority({ priority });
		});
		this.told = new Map(edits.map(({ id, priority }) => [id, priority]));
		// A worker may have taken one meanwhile.
		await Promise.allSettled(telling);
	}

	private isConnected(): boolean {
		return this.own.redis.status === 'ready' && !this.closing.signal.aborted;
	}
}
