import { availableParallelism } from 'node:os';

import { Piscina } from 'piscina';

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
	await ending?.pool.destroy();
}

function newThreads() {
	const pool = new Piscina<ThreadTask, void>({
		...THREAD_OPTIONS,
		filename: besideModule(import.meta.url, 'threadWork').href,
		minThreads: THREADS,
		maxThreads: THREADS,
	});
	/** Rejects when a thread cannot start; that belongs to no task. */
	const broken = new Promise<never>((_resolve, reject) => {
		pool.on('error', (error: Error) => {
			threads = undefined;
			reject(error);
		});
	});
	broken.catch(() => undefined);
	return { pool, broken };
}

/**
 * Does pieces of work side by side; a single one in the caller's own thread.
 *
 * @throws what a task throws, the signal's reason when aborted. Threads that still work are ended.
 */
export async function inThreads(tasks: readonly ThreadTask[], signal?: AbortSignal): Promise<void> {
	if (tasks.length === 1) {
		await work(tasks[0], signal);
		return;
	}
	const { pool, broken } = startThreads();
	const stopping = new AbortController();
	const stop = signal ? AbortSignal.any([signal, stopping.signal]) : stopping.signal;
	try {
		const all = Promise.all(tasks.map((task) => pool.run(task, { signal: stop })));
		await Promise.race([all, broken]);
	} catch (error) {
		stopping.abort();
		signal?.throwIfAborted();
		throw error;
	}
}
