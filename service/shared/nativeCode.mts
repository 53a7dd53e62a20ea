import { workerData } from 'node:worker_threads';

/** Whether the threads of a pool are about to end, and how many calls of native code run in them. */
type PoolState = Int32Array<SharedArrayBuffer>;
const ENDING = 0;
const RUNNING = 1;

/**
 * The state of a pool first, then those of the pools around it: a thread's own pools end with it. Each thread has
 * them as its `workerData`.
 */
export type NativeCode = readonly PoolState[];

/** Those of this thread; a main thread has none. */
const own: NativeCode = Array.isArray(workerData) ? (workerData as PoolState[]) : [];

/** Returns what the threads of a new pool get as their `workerData`. */
export function nativeCodeOfPool(): NativeCode {
	return [new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)), ...own];
}

/**
 * Calls native code. Where a thread is ended in the middle of such a call, the whole process ends with it.
 *
 * @throws when this thread is about to end.
 */
export async function inNativeCode<T>(call: () => Promise<T>): Promise<T> {
	for (const state of own) Atomics.add(state, RUNNING, 1);
	try {
		if (own.some((state) => Atomics.load(state, ENDING))) throw new Error('The thread is ending');
		return await call();
	} finally {
		for (const state of own) {
			Atomics.sub(state, RUNNING, 1);
			Atomics.notify(state, RUNNING);
		}
	}
}

/** Resolves when no native code runs any more in the threads of a pool, and none will. */
export async function nativeCodeEnds([state]: NativeCode): Promise<void> {
	Atomics.store(state, ENDING, 1);
	for (let running; (running = Atomics.load(state, RUNNING)) > 0; ) {
		await Atomics.waitAsync(state, RUNNING, running).value;
	}
}
