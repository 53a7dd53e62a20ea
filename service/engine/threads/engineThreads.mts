import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';

import { Piscina } from 'piscina';

import { nativeCodeEnds, nativeCodeOfPool } from '../../shared/nativeCode.mts';
import { besideModule, THREAD_OPTIONS } from '../../shared/threadModule.mts';
import work, { type ThreadTask } from './threadWork.mts';

/** Each thread takes some 40 MB. */
export const THREADS = Math.min(availableParallelism(), 4);

type Threads = ReturnType<typeof newThreads>;
let threads: Threads | undefined;

/**
 * Returns the threads, and starts them if need be. It does not wait for them: begun early, they are
 * ready when there is work.
 */
export function startThreads(): Threads {
	threads ??= newThreads();
	return threads;
}

/** Ends the threads, which frees their memory for other work. */
export async function endThreads(): Promise<void> {
	const ending = threads;
	threads = undefined;
	if (ending) await end(ending);
}

/** Ends all threads of a pool, once each has loaded what it runs, and left native code. */
async function end({ pool, nativeCode }: Pick<Threads, 'pool' | 'nativeCode'>): Promise<void> {
	await Promise.all(pool.threads.map(loaded));
	await nativeCodeEnds(nativeCode);
	await pool.destroy();
}

/** When each thread has loaded. */
const loading = new WeakMap<Worker, Promise<void>>();

/**
 * Resolves when a thread has loaded its module, or could not. Until then it must not be ended: Node ends the whole
 * process if a thread is ended in the middle of loading a module (nodejs/node#62114).
 */
function loaded(thread: Worker): Promise<void> {
	const known = loading.get(thread);
	if (known) return known;
	const { promise, resolve } = Promise.withResolvers<undefined>();
	// The pool's own message that a thread is ready is its first; our module sends none.
	for (const event of ['message', 'exit']) {
		thread.once(event, () => {
			resolve(undefined);
		});
	}
	loading.set(thread, promise);
	return promise;
}

function newThreads() {
	const nativeCode = nativeCodeOfPool();
	const pool = new Piscina<ThreadTask, void>({
		...THREAD_OPTIONS,
		filename: besideModule(import.meta.url, 'threadWork').href,
		minThreads: THREADS,
		maxThreads: THREADS,
		workerData: nativeCode,
	});
	const ready = Promise.all(pool.threads.map(loaded));
	/** Rejects when a thread cannot start; that belongs to no task. */
	const broken = new Promise<never>((_resolve, reject) => {
		pool.on('error', (error: Error) => {
			if (threads?.pool === pool) threads = undefined;
			reject(error);
			void end({ pool, nativeCode });
		});
	});
	broken.catch(() => undefined);
	return { pool, nativeCode, ready, broken };
}

/**
 * Does pieces of work side by side; a single one in the caller's own thread.
 *
 * @throws what a task throws, the signal's reason when aborted. All threads have ended by then.
 */
export async function inThreads(tasks: readonly ThreadTask[], signal?: AbortSignal): Promise<void> {
	if (tasks.length === 1) {
		await work(tasks[0], signal);
		return;
	}
	const shared = startThreads();
	try {
		await runIn(shared, tasks, signal);
	} catch (error) {
		// The pool would replace a thread whose task is stopped, and the new one would still be loading.
		if (threads === shared) threads = undefined;
		await end(shared);
		throw error;
	}
}

/**
 * Does pieces of work side by side in threads of their own, which end with it. Where several recordings are worked on
 * in one thread, the end of one would end the threads of all.
 *
 * @throws as `inThreads`.
 */
export async function inOwnThreads(
	tasks: readonly ThreadTask[],
	signal?: AbortSignal,
): Promise<void> {
	const own = newThreads();
	try {
		await runIn(own, tasks, signal);
	} finally {
		await end(own);
	}
}

async function runIn(
	{ pool, ready, broken }: Threads,
	tasks: readonly ThreadTask[],
	signal?: AbortSignal,
): Promise<void> {
	const stopped = Promise.withResolvers<never>();
	const stop = () => {
		stopped.reject(signal?.reason);
	};
	stopped.promise.catch(() => undefined);
	signal?.addEventListener('abort', stop, { once: true });
	try {
		await Promise.race([ready, broken]);
		signal?.throwIfAborted();
		const all = Promise.all(tasks.map((task) => pool.run(task)));
		await Promise.race([all, broken, stopped.promise]);
	} finally {
		signal?.removeEventListener('abort', stop);
	}
}
