import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';

import { Piscina } from 'piscina';

import { allOrNone } from '../../media/allOrNone.mts';
import { nativeCodeEnds, nativeCodeOfPool } from '../../shared/nativeCode.mts';
import { besideModule, THREAD_OPTIONS } from '../../shared/threadModule.mts';
import work, { type ThreadTask } from './threadWork.mts';

/** How many threads work side by side, their caller's included. With its networks, each takes some 100 MB. */
export const THREADS = Math.min(availableParallelism(), 4);

/** The caller of `inThreads` is one of them. */
const OTHERS = Math.max(1, THREADS - 1);

type Threads = ReturnType<typeof newThreads>;
let threads: Threads | undefined;

/**
 * Returns the threads, and starts them if need be. It does not wait for them: begun early, they are
 * ready when there is work.
 */
export function startThreads(): Threads {
	threads ??= newThreads(OTHERS);
	return threads;
}

/** Ends the threads once they have done what they do besides, which frees their memory for other work. */
export async function endThreads(): Promise<void> {
	const ending = threads;
	threads = undefined;
	if (!ending) return;
	await Promise.allSettled(ending.besides);
	await end(ending);
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

function newThreads(count: number) {
	const nativeCode = nativeCodeOfPool();
	const pool = new Piscina<ThreadTask, void>({
		...THREAD_OPTIONS,
		filename: besideModule(import.meta.url, 'threadWork').href,
		minThreads: count,
		maxThreads: count,
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
	return { pool, nativeCode, ready, broken, besides: new Set<Promise<void>>() };
}

/**
 * Does pieces of work side by side, in the caller's own thread, too; a single one only there.
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
		const left = [...tasks];
		const nothingLeft = Promise.withResolvers<undefined>();
		const own = async (stop: AbortSignal) => {
			for (const task of taken(left)) await work(task, stop);
			nothingLeft.resolve(undefined);
		};
		// Where the caller has done everything before they are ready, nobody waits for them.
		const ready = Promise.race([shared.ready, nothingLeft.promise]);
		await allOrNone([own, (stop) => runIn({ ...shared, ready }, left, stop)], signal);
	} catch (error) {
		// The pool would replace a thread whose task is stopped, and the new one would still be loading.
		if (threads === shared) threads = undefined;
		await end(shared);
		throw error;
	}
}

/**
 * Does a piece of work in another thread if any have been started, while the caller does other work, and else in the
 * caller's own.
 *
 * @throws as `inThreads`; also when the threads end before it is done, because other work has failed.
 */
export async function besides(task: ThreadTask, signal?: AbortSignal): Promise<void> {
	if (threads === undefined) {
		await work(task, signal);
		return;
	}
	const { besides: all } = threads;
	const done = runIn(threads, [task], signal);
	all.add(done);
	try {
		await done;
	} finally {
		all.delete(done);
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
	const own = newThreads(THREADS);
	try {
		await runIn(own, [...tasks], signal);
	} finally {
		await end(own);
	}
}

/** Takes the first of what is left to do, again and again. */
function* taken(left: ThreadTask[]): Generator<ThreadTask> {
	for (let task = left.shift(); task !== undefined; task = left.shift()) yield task;
}

/** Lets all threads of a pool do what is left. */
async function runIn(
	{ pool, ready, broken }: Pick<Threads, 'pool' | 'broken'> & { ready: Promise<unknown> },
	left: ThreadTask[],
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
		const oneByOne = async () => {
			for (const task of taken(left)) await pool.run(task);
		};
		const all = Promise.all(pool.threads.map(oneByOne));
		await Promise.race([all, broken, stopped.promise]);
	} finally {
		signal?.removeEventListener('abort', stop);
	}
}
