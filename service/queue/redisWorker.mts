import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';

import type { Job as QueuedJob, Worker } from 'bullmq';
import type { Redis } from 'ioredis';

import type { Claim, Claims } from '../store/claims.mts';
import { ClaimWatch, WATCH_MS, type ClaimedRun } from './claimWatch.mts';
import { DatabaseTrouble } from '../store/database.mts';
import { waitsForReview } from '../store/edit.mts';
import { isId } from '../shared/ids.mts';
import { messageOf } from '../shared/failures.mts';
import type { EditTools } from '../work/editTools.mts';
import { removeEditFiles } from '../work/fileRemoval.mts';
import { endWithFailure } from '../work/endWithFailure.mts';
import { runEdit } from '../work/runEdit.mts';
import { StatusTrack } from '../work/statusTrack.mts';

/** When this process stops: real milliseconds for Redis to take edits back, and for all of the stop. */
const CLOSE_PATIENCE_MS = 3_000;
const MAX_CLOSE_MS = 8_000;

/** Practically unlimited: the database counts an edit's attempts, not BullMQ. */
const STALLS_ALLOWED = 1_000_000;

/**
 * Edits that this process keeps while they wait for a source or a server, without occupying a place
 * in BullMQ's concurrency. Above this number they do occupy one, which leaves edits for other workers.
 * Edits that waited and are now at the processor, up to the concurrency, come on top.
 */
const MAX_WAITING = 32;

/** An edit in progress. */
interface RunningEdit extends ClaimedRun {
	readonly ownerId: string | undefined;
	/** Completes the queue's entry: this process keeps the edit until it ends. */
	keep: () => void;
	isKept: boolean;
}

/** How the work on a queue entry ended: over here, or released because this process stops. */
type End = 'over' | 'released';

/** What a worker needs. */
export interface RedisWorkerOptions {
	tools: EditTools;
	claims: Claims;
	redis: Redis;
	queueName: string;
	/** Edits taken from the queue at once; at least 1 for a worker. */
	concurrency: number;
	/** Called before the work on an edit begins. */
	beforeEdit?: () => Promise<void>;
}

/**
 * Takes edits from the Redis queue and runs them. The claims in the database decide who may work on
 * an edit. Redis may hand out the same edit twice, after losing its data or the contact to a worker.
 */
export class RedisWorker {
	private readonly running = new Map<string, RunningEdit>();
	private readonly watch: ClaimWatch;
	private readonly watching: Promise<void>;
	private readonly closed = new AbortController();
	private readonly worker: Worker;
	private closing = false;

	private constructor(
		private readonly own: RedisWorkerOptions,
		bull: typeof import('bullmq'),
	) {
		const { claims, redis, queueName, concurrency, tools } = own;
		this.worker = new bull.Worker(
			queueName,
			async (queued, token) => {
				await this.requeue(queued, token, await this.runUntilWait(queued.id ?? ''), bull);
			},
			{
				connection: redis,
				concurrency,
				lockDuration: claims.leaseMs,
				stalledInterval: claims.leaseMs / 2,
				maxStalledCount: STALLS_ALLOWED,
				removeOnComplete: { count: 0 },
				removeOnFail: { count: 0 },
			},
		);
		this.worker.on('error', ({ message }) => {
			// The connection logs outages itself.
			if (redis.status !== 'ready' || this.closing) return;
			const isForgotten = /could not renew lock|Missing (key|lock)/.test(message);
			const what = 'Redis lost track of a running edit; the database still has it';
			tools.log(isForgotten ? `queue: ${what} (${message})` : `queue: ${message}`);
		});
		this.watch = new ClaimWatch(claims, tools);
		this.watching = this.watch.keepLooking(() => this.running.values(), this.closed.signal);
	}

	/** Starts taking edits from the queue. */
	static async start(own: RedisWorkerOptions): Promise<RedisWorker> {
		return new RedisWorker(own, await import('bullmq'));
	}

	/** Stops an edit whose row was deleted, if this process is running it. */
	stop(id: string): void {
		this.running.get(id)?.stopping.abort();
	}

	/** Stops taking edits and returns the running ones to the queue. */
	async close(): Promise<void> {
		this.closing = true;
		const closed = this.worker.close();
		for (const { stopping } of this.running.values()) stopping.abort();
		const ended = new AbortController();
		const patience = async () => {
			while (this.running.size > 0) await wait(WATCH_MS, undefined, ended);
			await wait(CLOSE_PATIENCE_MS, undefined, ended);
		};
		const allOver = async () => {
			await closed;
			while (this.running.size > 0) await wait(WATCH_MS, undefined, ended);
		};
		// If Redis or the database is down now, other processes notice later that these edits have stalled.
		await Promise.race([allOver(), patience(), wait(MAX_CLOSE_MS, undefined, ended)]);
		ended.abort();
		this.closed.abort();
		await this.watching;
	}

	/**
	 * Resolves when an edit ends, or when it begins to wait for a source or a server. In the second case
	 * the queue hands out the next edit, and the claim keeps the waiting one in this process.
	 */
	private async runUntilWait(id: string): Promise<End> {
		const { promise, resolve, reject } = Promise.withResolvers<End>();
		const keep = resolve.bind(undefined, 'over');
		this.work(id, keep).then(resolve, reject);
		return await promise;
	}

	/** Claims an edit and runs it to its end. */
	private async work(id: string, keep: () => void): Promise<End> {
		// Anyone who can write to Redis can add an entry with any id.
		if (!isId(id)) return 'over';
		const { claims, tools } = this.own;
		const ownerId = await tools.store.ownerOf(id);
		// Each key may have as many as are left for other keys: 16, then 8, 4 … Nothing of the edit has
		// begun, so no attempt is counted. The next refill queues it again: an entry that BullMQ delays
		// would wait by the machine's clock, for a day if that is set back by one.
		const waiting = this.waiting(ownerId);
		if (waiting > 0 && waiting >= MAX_WAITING - this.waiting()) return 'over';
		const claim = this.running.has(id) ? undefined : await claims.claim(id);
		// Another run has the edit. If that run dies, a later refill queues the edit again.
		if (claim === undefined) return 'over';
		if (this.closing) {
			await this.release(claim);
			return 'released';
		}
		const stopping = new AbortController();
		const renewedAtMs = performance.now();
		const running = { claim, ownerId, stopping, renewedAtMs, keep, isKept: false };
		this.running.set(id, running);
		try {
			return await this.run(running);
		} catch (error) {
			if (error instanceof DatabaseTrouble) throw error;
			// An unreadable row fails its edit.
			const track = new StatusTrack(id, tools, undefined, claim.token);
			await endWithFailure(id, error, tools, track);
			return 'over';
		} finally {
			// The watch skips runs that were stopped.
			stopping.abort();
			await this.release(claim);
			this.running.delete(id);
		}
	}

	/** Ends a claim. Never throws: a claim that it cannot end expires. */
	private async release(claim: Claim): Promise<void> {
		const { claims, tools } = this.own;
		const { editId: id } = claim;
		try {
			// Deleting an edit removes its row first; its files may still be here.
			const isGone = (await tools.store.ownerOf(id)) === undefined;
			if (isGone) await removeEditFiles(id, tools);
			await claims.release(claim);
		} catch (trouble) {
			tools.log(`edit ${id}: cannot release its claim (${messageOf(trouble)})`);
		}
	}

	private async run(running: RunningEdit): Promise<End> {
		const { claims, tools } = this.own;
		const { claim, stopping } = running;
		const edit = await tools.store.find(claim.editId);
		if (edit === undefined || edit.finishedAtMs !== null || waitsForReview(edit)) return 'over';
		const isApproved = edit.review !== null && edit.status === 'POSTPROCESSING';
		const wasInterrupted = edit.status !== 'PENDING' && edit.status !== 'RETRY' && !isApproved;
		if (wasInterrupted) await this.markInterrupted(claim, 'its worker died');
		await this.own.beforeEdit?.();
		const confirm = () => this.watch.look([running]);
		const onWait = () => {
			running.isKept ||= this.waiting() < MAX_WAITING;
			if (running.isKept) running.keep();
		};
		await runEdit(edit, tools, stopping.signal, { token: claim.token, confirm, onWait });
		if (!this.closing || !stopping.signal.aborted || !(await claims.isHeld(claim))) return 'over';
		await this.markInterrupted(claim, 'its worker is stopping');
		return 'released';
	}

	/** Counts the kept edits, of one owner or of all, beyond those that may be at the processor. */
	private waiting(ownerId?: string): number {
		const kept = [...this.running.values()].filter(({ isKept }) => isKept);
		const counted = ownerId ? kept.filter((running) => running.ownerId === ownerId) : kept;
		return counted.length - this.own.concurrency;
	}

	private async markInterrupted({ editId: id, token }: Claim, why: string): Promise<void> {
		const { store, clock, log } = this.own.tools;
		await store.setStatus(id, 'RETRY', clock.nowMs(), token);
		log(`edit ${id} RETRY: ${why}`);
	}

	/** Puts an edit back into the queue that this process released. */
	private async requeue(
		queued: QueuedJob,
		token: string | undefined,
		end: End,
		{ WaitingError }: typeof import('bullmq'),
	): Promise<void> {
		if (end === 'over') return;
		await queued.moveToWait(token);
		throw new WaitingError();
	}
}
