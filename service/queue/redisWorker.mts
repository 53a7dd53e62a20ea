import { setTimeout as wait } from 'node:timers/promises';

import type { Job as QueuedJob, Worker } from 'bullmq';
import type { Redis } from 'ioredis';

import type { Claim, Claims } from '../store/claims.mts';
import { messageOf } from '../shared/failures.mts';
import type { Workbench } from '../work/workbench.mts';
import { endWithFailure, runEdit } from '../work/runEdit.mts';
import { StatusTrack } from '../work/statusTrack.mts';

/** How often is looked whether running edits were deleted or lost, real milliseconds. */
const WATCH_MS = 250;

/** How long Redis may take to take edits back when this process stops, real milliseconds. */
const CLOSE_PATIENCE_MS = 3_000;

/** A queued edit may be held up as often as it likes: the database counts its attempts. */
const STALLS_ALLOWED = 1_000_000;

/**
 * Edits that wait for a source or a server and are no longer the queue's, of this process. With more
 * of them it takes none until one is over: other workers shall have something to do, too.
 */
const MOST_WAITING = 32;

/** An edit that is being worked on. */
interface RunningEdit {
	claim: Claim;
	stopping: AbortController;
	renewedAtMs: number;
	/** Ends the queue's part in the edit: this process has it until its end. */
	keep: () => void;
	isKept: boolean;
}

/** What came of an edit that the queue handed out: worked on, let go when stopping, or another's. */
type End = 'over' | 'let go' | 'held by another';

/** What a worker needs. */
export interface RedisWorkerOptions {
	workbench: Workbench;
	claims: Claims;
	redis: Redis;
	queueName: string;
	/** At least 1. */
	concurrency: number;
	/** Called before the work on an edit begins. */
	beforeEdit?: () => void;
}

/**
 * Takes edits from the queue on Redis and works on them. Who may work on one is decided by the
 * claims in the database, for the queue may hand an edit out twice: when it lost its memory, or lost
 * touch with a worker that is still alive.
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
			// That it is away was said already.
			if (redis.status !== 'ready' || this.#closing) return;
			const isForgotten = /could not renew lock|Missing (key|lock)/.test(message);
			const what = 'Redis lost track of an edit under work; the database has it';
			workbench.log(isForgotten ? `queue: ${what} (${message})` : `queue: ${message}`);
		});
		this.#watch = setInterval(() => {
			for (const running of this.#running.values()) this.#look(running);
		}, WATCH_MS);
	}

	/** Begins to take edits. */
	static async start(own: RedisWorkerOptions): Promise<RedisWorker> {
		return new RedisWorker(own, await import('bullmq'));
	}

	/** Stops the work on an edit whose row is gone, when it is done here. */
	stop(id: string): void {
		this.#running.get(id)?.stopping.abort();
	}

	/** Takes no more edits, and gives those under work back to the queue. */
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
		// When Redis is away it finds out by itself that the edits are nobody's.
		await Promise.race([allOver(), patience()]);
		givenUp.abort();
		clearInterval(this.#watch);
	}

	/**
	 * Works on an edit until its end, or until it waits for others: then the queue may hand out the
	 * next, and the claim keeps the edit here.
	 */
	async #take(id: string): Promise<End> {
		return await new Promise<End>((resolve, reject) => {
			const keep = () => {
				resolve('over');
			};
			this.#work(id, keep).then(resolve, reject);
		});
	}

	/** Works on an edit, from the beginning to its end. */
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
			// A row that cannot be read ends its edit.
			await endWithFailure(
				id,
				error,
				workbench,
				new StatusTrack(id, workbench, undefined, claim.token),
			);
			return 'over';
		} finally {
			this.#running.delete(id);
			// A deleted edit's row is gone before its files are.
			if (!workbench.store.has(id)) await workbench.files.removeJob(id);
			claims.release(claim);
		}
	}

	async #run(running: RunningEdit): Promise<End> {
		const { claims, workbench } = this.own;
		const { claim, stopping } = running;
		const job = workbench.store.find(claim.jobId);
		if (job === undefined || job.finishedAtMs !== null) return 'over';
		const wasInterrupted = job.status !== 'PENDING' && job.status !== 'RETRY';
		if (wasInterrupted) this.#markInterrupted(claim, 'its worker is gone');
		this.own.beforeEdit?.();
		const confirm = () => {
			this.#look(running);
		};
		const onWait = () => {
			const kept = [...this.#running.values()].filter(({ isKept }) => isKept);
			running.isKept ||= kept.length < MOST_WAITING;
			if (running.isKept) running.keep();
		};
		await runEdit(job, workbench, stopping.signal, { token: claim.token, confirm, onWait });
		if (!this.#closing || !stopping.signal.aborted || !claims.isHeld(claim)) return 'over';
		this.#markInterrupted(claim, 'its worker stops');
		return 'let go';
	}

	#markInterrupted({ jobId: id, token }: Claim, why: string): void {
		const { store, clock, log } = this.own.workbench;
		store.setStatus(id, 'RETRY', clock.nowMs(), token);
		log(`edit ${id} RETRY: ${why}`);
	}

	/** Stops a run that lost its claim or its row; else renews the claim when it is time. */
	#look(running: RunningEdit): void {
		const { claims, workbench } = this.own;
		const { claim, stopping } = running;
		if (stopping.signal.aborted) return;
		try {
			if (!claims.isHeld(claim)) {
				const why = workbench.store.has(claim.jobId)
					? 'another worker took it over'
					: 'it was deleted';
				workbench.log(`edit ${claim.jobId} is let go: ${why}`);
				stopping.abort();
			} else if (Date.now() - running.renewedAtMs > claims.leaseMs / 3) {
				claims.renew(claim);
				running.renewedAtMs = Date.now();
			}
		} catch (trouble) {
			workbench.log(`edit ${claim.jobId}: its claim cannot be renewed (${messageOf(trouble)})`);
		}
	}

	/** Tells the queue what to do with an edit that is not over. */
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
