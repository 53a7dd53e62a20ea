import { MessageChannel, type MessagePort } from 'node:worker_threads';

import { Piscina } from 'piscina';

import type { SpeechOrder } from '../track.mts';
import type { EngineStatus, RecordingJob, RecordingResult } from '../types.mts';
import {
	statusMessageSchema,
	type EngineAnswer,
	type EngineTask,
	type EngineWork,
	type Order,
} from './engineMessages.mts';
import { EditFailure } from '../../shared/failures.mts';

/** Time a worker gets to end its ffmpeg processes before the thread is terminated, real milliseconds. */
const STOP_GRACE_MS = 3_000;

/** How long an idle worker thread is kept, real milliseconds; starting one costs half a second. */
const IDLE_THREAD_MS = 30_000;

/** Called before the engine enters a status; the engine waits for the promise. */
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
	/** For the jobs that no thread has begun yet, what ends them. */
	readonly #notBegun = new Set<AbortController>();

	/** @param workerModule what the threads run; another one only in tests. */
	constructor(
		threads: number,
		private readonly workerModule = new URL('./engineWorker.mts', import.meta.url),
	) {
		this.#pool = new Piscina<EngineTask, EngineAnswer>({
			minThreads: 0,
			maxThreads: threads,
			idleTimeout: IDLE_THREAD_MS,
			// Waiting on Atomics would freeze a worker's event loop while its child processes end.
			atomics: 'disabled',
			// Resolved here, so that the service may be started from any folder.
			execArgv: ['--import', import.meta.resolve('tsx')],
		});
		// A thread that cannot start belongs to no job: the pool would leave the jobs waiting, and
		// without a listener the event would end the process.
		this.#pool.on('error', (trouble: unknown) => {
			for (const termination of this.#notBegun) termination.abort(trouble);
		});
	}

	/**
	 * Runs the engine on one job.
	 * @throws EditFailure for input that cannot be used, EngineCrash for any other trouble,
	 * the signal's reason when aborted.
	 */
	async run(job: RecordingJob, enter: EnterStatus, signal: AbortSignal): Promise<RecordingResult> {
		const answer = await this.#do({ kind: 'edit', job }, enter, signal);
		if (answer.kind !== 'edited') throw troubleOf(answer);
		return answer.result;
	}

	/**
	 * Puts a source on disk as a recogniser takes it; returns its length in seconds.
	 * @throws like `run`.
	 */
	async readSpeech(order: SpeechOrder, signal: AbortSignal): Promise<number> {
		const answer = await this.#do({ kind: 'speech', order }, () => Promise.resolve(), signal);
		if (answer.kind !== 'speech') throw troubleOf(answer);
		return answer.seconds;
	}

	/** Has a thread do a piece of work. @throws like `run`, but for the errors in its answer. */
	async #do(work: EngineWork, enter: EnterStatus, signal: AbortSignal): Promise<EngineAnswer> {
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
		this.#notBegun.add(termination);
		port.once('message', () => this.#notBegun.delete(termination));
		const lastEntered = passStatuses(port, enter, tell);
		try {
			// Named for each job: then a module that cannot load fails the job and not the thread.
			const { href: filename } = this.workerModule;
			const options = { filename, transferList: [port2], signal: termination.signal };
			const answer = await this.#pool.run({ work, port: port2 }, options);
			signal.throwIfAborted();
			await lastEntered();
			return answer;
		} catch (error) {
			signal.throwIfAborted();
			termination.signal.throwIfAborted();
			throw error;
		} finally {
			clearTimeout(graceTimer);
			signal.removeEventListener('abort', stop);
			this.#notBegun.delete(termination);
			port.close();
		}
	}

	/** Ends the threads. */
	async close(): Promise<void> {
		await this.#pool.destroy();
	}
}

/**
 * Passes the engine's statuses on, and the permissions to go on back. What it returns rejects when
 * the last status could not be entered: the job was stopped, or the database could not be written.
 */
function passStatuses(port: MessagePort, enter: EnterStatus, tell: (order: Order) => void) {
	let entering = Promise.resolve();
	port.on('message', (message: unknown) => {
		const { status } = statusMessageSchema.parse(message);
		entering = enter(status);
		entering.then(
			() => {
				tell('continue');
			},
			() => {
				tell('stop');
			},
		);
	});
	return () => entering;
}

/** The error in a worker's answer. */
function troubleOf(answer: EngineAnswer): Error {
	if (answer.kind !== 'failed') return new Error(`The engine answered with ${answer.kind}`);
	if (answer.errorName === 'UnusableInput') return new EditFailure(answer.message);
	return new EngineCrash(answer.message, answer.stack);
}
