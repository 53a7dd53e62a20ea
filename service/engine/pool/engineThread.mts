import { MessageChannel, type MessagePort } from 'node:worker_threads';

import { Piscina } from 'piscina';

import { nativeCodeEnds, nativeCodeOfPool } from '../../shared/nativeCode.mts';
import { THREAD_OPTIONS } from '../../shared/threadModule.mts';
import type { EngineStatus } from '../types.mts';
import {
	BEGUN,
	type Command,
	type EngineAnswer,
	type EngineTask,
	type EngineWork,
} from './engineMessages.mts';

/**
 * Real milliseconds for a worker to end its ffmpeg processes before its thread is killed. They count once it has
 * begun: Node may end the whole process if a thread is killed in the middle of loading a module.
 */
const STOP_GRACE_MS = 3_000;

/** How long an idle worker thread is kept, real milliseconds. Starting one takes half a second. */
const IDLE_THREAD_MS = 30_000;

/** Called before the engine enters a status; the engine awaits it. */
export type EnterStatus = (status: EngineStatus) => Promise<void>;

/** A worker thread for media work, which does one piece of work at a time. It starts on demand. */
export class EngineThread {
	private readonly pool: Piscina<EngineTask, EngineAnswer>;
	private readonly nativeCode = nativeCodeOfPool();
	/** Aborts the work that the thread has not begun yet. */
	private notBegun: AbortController | undefined;

	/** Whether it can do no more work: it was killed, or its work gave it a lower priority, which lasts. */
	isSpent = false;

	constructor(private readonly workerModule: URL) {
		this.pool = new Piscina<EngineTask, EngineAnswer>({
			...THREAD_OPTIONS,
			minThreads: 0,
			maxThreads: 1,
			idleTimeout: IDLE_THREAD_MS,
			workerData: this.nativeCode,
			// Waiting on Atomics would freeze a worker's event loop while its child processes end.
			atomics: 'disabled',
		});
		// The pool does not reject the work of a thread that cannot start, and without a listener this
		// event would end the process.
		this.pool.on('error', (error: unknown) => this.notBegun?.abort(error));
	}

	/**
	 * Does work on the thread.
	 * @throws what the thread throws, the signal's reason when aborted.
	 */
	async do(work: EngineWork, enter: EnterStatus, signal: AbortSignal): Promise<EngineAnswer> {
		signal.throwIfAborted();
		const { port1: port, port2 } = new MessageChannel();
		const termination = new AbortController();
		const send = (command: Command) => {
			port.postMessage(command);
		};
		let graceTimer: NodeJS.Timeout | undefined;
		const limitGrace = () => {
			graceTimer ??= setTimeout(() => void this.kill(termination), STOP_GRACE_MS);
		};
		const stop = () => {
			send('stop');
			if (this.notBegun === undefined) limitGrace();
		};
		signal.addEventListener('abort', stop, { once: true });
		this.notBegun = termination;
		port.once('message', () => {
			this.notBegun = undefined;
			if (signal.aborted) limitGrace();
		});
		const lastEntered = passStatuses(port, enter, send);
		try {
			// Passed per run, so that a module that cannot load fails the run and not the thread.
			const { href: filename } = this.workerModule;
			const options = { filename, transferList: [port2], signal: termination.signal };
			const answer = await this.pool.run({ work, port: port2 }, options);
			this.isSpent ||= answer.hasLowPriority;
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
			this.notBegun = undefined;
			port.close();
		}
	}

	private async kill(termination: AbortController): Promise<void> {
		this.isSpent = true;
		await nativeCodeEnds(this.nativeCode);
		termination.abort();
	}

	/** Ends the thread. */
	async close(): Promise<void> {
		await nativeCodeEnds(this.nativeCode);
		await this.pool.destroy();
	}
}

/**
 * Passes the engine's statuses to `enter`, and permissions back to the engine. The returned
 * function yields a promise that rejects when the last status could not be entered: the edit was
 * stopped, or the database could not be written.
 */
function passStatuses(port: MessagePort, enter: EnterStatus, send: (command: Command) => void) {
	let entering = Promise.resolve();
	port.on('message', (status: EngineStatus | typeof BEGUN) => {
		if (status === BEGUN) return;
		entering = enter(status);
		const answered = entering.then((): Command => 'continue').catch((): Command => 'stop');
		void answered.then(send);
	});
	return () => entering;
}
