import { setTimeout as wait } from 'node:timers/promises';

import type { Job as QueuedJob, Worker } from 'bullmq';
import type { Redis } from 'ioredis';

import type { Claim, Claims } from '../store/claims.mts';
import { messageOf } from '../shared/failures.mts';
import type { Workbench } from '../work/workbench.mts';
import { endWithFailure, runEdit } from '../work/runEdit.mts';
import { StatusTrack } from '../work/statusTrack.mts';

/** Real milliseconds between checks whether running edits were deleted or taken over. */
const WATCH_MS = 250;

/** Real milliseconds that Redis gets to take edits back when this process stops. */
const CLOSE_PATIENCE_MS = 3_000;

/** Practically unlimited: the database counts an edit's attempts, not BullMQ. */
const STALLS_ALLOWED = 1_000_000;

/**
 * Edits that this process keeps while they wait for a source or a server, without occupying a place
 * in BullMQ's concurrency. Above this number they do occupy one, which leaves edits for other workers.
 */
const MOST_WAITING = 32;

/** An edit in progress. */
interface RunningEdit {
	claim: Claim;
	stopping: AbortController;
	renewedAtMs: number;
	/** Completes the queue's entry: this process keeps the edit until it ends. */
	keep: () => void;
	isKept: boolean;
}

/** How the work on a queue entry ended: done, released because this process stops, or held elsewhere. */
type End = 'over' | 'let go' | 'held by another';

/** What a worker needs. */
export interface RedisWorkerOptions {
	workbench: Workbench;
	claims: Claims;
	redis: Redis;
	queueName: string;
	/** Edits taken from the queue at once; at least 1 for a worker. */
	concurrency: number;
	/** Called before the work on an edit begins. */
	beforeEdit?: () => void;
}

/**
 * Takes edits from the Redis queue and runs them. The claims in the database decide who may work on
 * an edit. Redis may hand out the same edit twice, after losing its data or the contact to a worker.
 */
export class RedisWorker {
	readonly #running = new Map<string, RunningEdit>();
	readonly #watch: NodeJS.Timeout;
	readonly #worker: Worker;
	#closing = false;

	private constructor(
		private readonly own: RedisWorkerOptions,
		bull: typeof import('bullmq'),
	) {
		const { claims, redis, queueName, concurrency, workbench } = own;
		this.#worker = new bull.Worker(
			queueName,
			async (queued, token) => {
				await this.#giveBack(queued, token, await this.#take(queued.id ?? ''), bull);
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
		this.#worker.on('error', ({ message }) => {
			// The connection logs outages itself.
			if (redis.status !== 'ready' || this.#closing) return;
			const isForgotten = /could not renew lock|Missing (key|lock)/.test(message);
			const what = 'Redis lost track of a running edit; the database still has it';
			workbench.log(isForgotten ? `queue: ${what} (${message})` : `queue: ${message}`);
		});
		this.#watch = setInterval(() => {
			for (const running of this.#running.values()) this.#look(running);
		}, WATCH_MS);
	}

	/** Starts taking edits from the queue. */
	static async start(own: RedisWorkerOptions): Promise<RedisWorker> {
		return new RedisWorker(own, await import('bullmq'));
	}

	/** Stops an edit whose row was deleted, if this process is running it. */
	stop(id: string): void {
		this.#running.get(id)?.stopping.abort();
	}

	/** Stops taking edits and returns the running ones to the queue. */
	async close(): Promise<void> {
		this.#closing = true;
		const closed = this.#worker.close();
		for (const { stopping } of this.#running.values()) stopping.abort();
		const givenUp = new AbortController();
		const patience = async () => {
			while (this.#running.size > 0) await wait(WATCH_MS, undefined, givenUp);
			await wait(CLOSE_PATIENCE_MS, undefined, givenUp);
		};
		const allOver = async () => {
			await closed;
			while (this.#running.size > 0) await wait(WATCH_MS, undefined, givenUp);
		};
		// If Redis is down now, it notices later by itself that these edits have stalled.
		await Promise.race([allOver(), patience()]);
		givenUp.abort();
		clearInterval(this.#watch);
	}

	/**
	 * Resolves when an edit ends, or when it begins to wait for a source or a server. In the second case
	 * the queue hands out the next edit, and the claim keeps the waiting one in this process.
	 */
	async #take(id: string): Promise<End> {
		return await new Promise<End>((resolve, reject) => {
			const keep = () => {
				resolve('over');
			};
			this.#work(id, keep).then(resolve, reject);
		});
	}

	/** Claims an edit and runs it to its end. */
	async #work(id: string, keep: () => void): Promise<End> {
		const { claims, workbench } = this.own;
		if (this.#closing) return 'let go';
		const claim = this.#running.has(id) ? undefined : claims.take(id);
		if (claim === undefined) return 'held by another';
		const stopping = new AbortController();
		const running = { claim, stopping, renewedAtMs: Date.now(), keep, isKept: false };
		this.#running.set(id, running);
		try {
			return await this.#run(running);
		} catch (error) {
			// An unreadable row fails its edit.
			await endWithFailure(
				id,
				error,
				workbench,
				new StatusTrack(id, workbench, undefined, claim.token),
			);
			return 'over';
		} finally {
			this.#running.delete(id);
			// Deleting an edit removes its row first; its files may still be here.
			if (!workbench.store.has(id)) await workbench.files.removeEdit(id);
			claims.release(claim);
		}
	}

	async #run(running: RunningEdit): Promise<End> {
		const { claims, workbench } = this.own;
		const { claim, stopping } = running;
		const edit = workbench.store.find(claim.editId);
		if (edit === undefined || edit.finishedAtMs !== null) return 'over';
		const wasInterrupted = edit.status !== 'PENDING' && edit.status !== 'RETRY';
		if (wasInterrupted) this.#markInterrupted(claim, 'its worker died');
		this.own.beforeEdit?.();
		const confirm = () => {
			this.#look(running);
		};
		const onWait = () => {
			const kept = [...this.#running.values()].filter(({ isKept }) => isKept);
			running.isKept ||= kept.length < MOST_WAITING;
			if (running.isKept) running.keep();
		};
		await runEdit(edit, workbench, stopping.signal, { token: claim.token, confirm, onWait });
		if (!this.#closing || !stopping.signal.aborted || !claims.isHeld(claim)) return 'over';
		this.#markInterrupted(claim, 'its worker is stopping');
		return 'let go';
	}

	#markInterrupted({ editId: id, token }: Claim, why: string): void {
		const { store, clock, log } = this.own.workbench;
		store.setStatus(id, 'RETRY', clock.nowMs(), token);
		log(`edit ${id} RETRY: ${why}`);
	}

	/** Stops a run that lost its claim or its row; otherwise renews the claim when due. */
	#look(running: RunningEdit): void {
		const { claims, workbench } = this.own;
		const { claim, stopping } = running;
		if (stopping.signal.aborted) return;
		try {
			if (!claims.isHeld(claim)) {
				const why = workbench.store.has(claim.editId)
					? 'another worker took it over'
					: 'it was deleted';
				workbench.log(`edit ${claim.editId} released: ${why}`);
				stopping.abort();
			} else if (Date.now() - running.renewedAtMs > claims.leaseMs / 3) {
				claims.renew(claim);
				running.renewedAtMs = Date.now();
			}
		} catch (trouble) {
			workbench.log(`edit ${claim.editId}: cannot renew its claim (${messageOf(trouble)})`);
		}
	}

	/** Puts an unfinished edit back into the queue: at once, or when its claim may have expired. */
	async #giveBack(
		queued: QueuedJob,
		token: string | undefined,
		end: End,
		{ DelayedError, WaitingError }: typeof import('bullmq'),
	): Promise<void> {
		if (end === 'over') return;
		if (end === 'let go') {
			await queued.moveToWait(token);
			throw new WaitingError();
		}
		const leftMs = this.own.claims.leftMs(queued.id ?? '');
		await queued.moveToDelayed(Date.now() + leftMs + WATCH_MS, token);
		throw new DelayedError();
	}
}
