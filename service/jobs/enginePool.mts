import { MessageChannel } from 'node:worker_threads';

import { Piscina } from 'piscina';

import type { EngineJob, EngineResult, EngineStatus } from '../engine/types.mts';
import {
	statusMessageSchema,
	type EngineAnswer,
	type EngineTask,
	type Order,
} from './engineMessages.mts';
import { EditFailure } from './failures.mts';

/** Time a worker gets to end its ffmpeg processes before the thread is terminated, real milliseconds. */
const STOP_GRACE_MS = 3_000;

/** An idle worker thread is kept so long, real milliseconds; starting one costs half a second. */
const IDLE_THREAD_MS = 30_000;

/** Called before the engine enters a status; it waits until the promise resolves. */
export type EnterStatus = (status: EngineStatus) => Promise<void>;

/** Thrown when the engine broke; carries the stack from the other thread. */
export class EngineCrash extends Error {
	override readonly name = 'EngineCrash';

	constructor(message: string, stack: string) {
		super(message);
		this.stack = stack;
	}
}

/** The worker threads in which media work runs, so that it never blocks HTTP. */
export class EnginePool {
	readonly #pool: Piscina<EngineTask, EngineAnswer>;

	constructor(threads: number) {
		this.#pool = new Piscina<EngineTask, EngineAnswer>({
			filename: new URL('./engineWorker.mts', import.meta.url).href,
			minThreads: 0,
			maxThreads: threads,
			idleTimeout: IDLE_THREAD_MS,
			// Waiting on Atomics would freeze a worker's event loop while its child processes end.
			atomics: 'disabled',
			// Resolved here, so that the service may be started from any folder.
			execArgv: ['--import', import.meta.resolve('tsx')],
		});
	}

	/**
	 * Runs the engine on one job.
	 * @throws EditFailure for input that cannot be used, EngineCrash for any other trouble,
	 * the signal's reason when aborted.
	 */
	async run(job: EngineJob, enter: EnterStatus, signal: AbortSignal): Promise<EngineResult> {
		signal.throwIfAborted();
		const { port1: port, port2 } = new MessageChannel();
		const termination = new AbortController();
		const tell = (order: Order) => {
			port.postMessage(order);
		};
		let graceTimer: NodeJS.Timeout | undefined;
		const stop = () => {
			tell('stop');
			graceTimer = setTimeout(() => {
				termination.abort();
			}, STOP_GRACE_MS);
		};
		signal.addEventListener('abort', stop, { once: true });
		port.on('message', (message: unknown) => {
			const { status } = statusMessageSchema.parse(message);
			enter(status).then(
				() => {
					tell('continue');
				},
				// Entering fails only when the job is stopped.
				() => {
					tell('stop');
				},
			);
		});
		try {
			const options = { transferList: [port2], signal: termination.signal };
			const answer = await this.#pool.run({ job, port: port2 }, options);
			signal.throwIfAborted();
			return resultOf(answer);
		} catch (error) {
			signal.throwIfAborted();
			throw error;
		} finally {
			clearTimeout(graceTimer);
			signal.removeEventListener('abort', stop);
			port.close();
		}
	}

	/** Ends the threads. */
	async close(): Promise<void> {
		await this.#pool.destroy();
	}
}

/** The result in a worker's answer, or its error thrown on. */
function resultOf(answer: EngineAnswer): EngineResult {
	if (answer.kind === 'done') return answer.result;
	if (answer.errorName === 'UnusableInput') throw new EditFailure(answer.message);
	throw new EngineCrash(answer.message, answer.stack);
}
