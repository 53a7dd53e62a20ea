import { MessageChannel, type MessagePort } from 'node:worker_threads';

import { Piscina } from 'piscina';

import type { SpeechRequest } from '../track.mts';
import type { EngineStatus, RecordingRequest } from '../types.mts';
import {
	BEGUN,
	type Command,
	type EngineAnswer,
	type EngineTask,
	type EngineWork,
} from './engineMessages.mts';
import { EditFailure } from '../../shared/failures.mts';
import { besideModule, THREAD_OPTIONS } from '../../shared/threadModule.mts';

/**
 * Real milliseconds for a worker to end its ffmpeg processes before its thread is killed. They count once it has
 * begun: Node may end the whole process if a thread is killed in the middle of loading a module.
 */
const STOP_GRACE_MS = 3_000;

/** How long an idle worker thread is kept, real milliseconds. Starting one takes half a second. */
const IDLE_THREAD_MS = 30_000;

/** Called before the engine enters a status; the engine awaits it. */
export type EnterStatus = (status: EngineStatus) => Promise<void>;

/** Worker threads for media work, which would otherwise block HTTP. */
export class EnginePool {
	private readonly pool: Piscina<EngineTask, EngineAnswer>;
	/** Aborts the work that no thread has begun yet. */
	private readonly notBegun = new Set<AbortController>();

	/** @param workerModule the module that the threads run; replaced only in tests. */
	constructor(
		threads: number,
		private readonly workerModule = besideModule(import.meta.url, 'engineWorker'),
	) {
		this.pool = new Piscina<EngineTask, EngineAnswer>({
			...THREAD_OPTIONS,
			minThreads: 0,
			maxThreads: threads,
			idleTimeout: IDLE_THREAD_MS,
			// Waiting on Atomics would freeze a worker's event loop while its child processes end.
			atomics: 'disabled',
		});
		// The pool does not reject the work of a thread that cannot start, and without a listener this
		// event would end the process.
		this.pool.on('error', (error: unknown) => {
			for (const termination of this.notBegun) termination.abort(error);
		});
	}

	/**
	 * Runs the engine on one recording.
	 *
	 * @throws EditFailure for input that cannot be used, any other error with the stack of its thread, the
	 * signal's reason when aborted.
	 */
	async run(request: RecordingRequest, enter: EnterStatus, signal: AbortSignal) {
		const answer = await this.do({ kind: 'edit', request }, enter, signal);
		if (answer.kind !== 'edited') throw troubleOf(answer);
		return answer.result;
	}

	/**
	 * Writes the speech of a source to disk for a recogniser; returns its length in seconds.
	 *
	 * @throws like `run`.
	 */
	async readSpeech(request: SpeechRequest, signal: AbortSignal): Promise<number> {
		const answer = await this.do({ kind: 'speech', request }, () => Promise.resolve(), signal);
		if (answer.kind !== 'speech') throw troubleOf(answer);
		return answer.seconds;
	}

	/** Runs work on a thread. @throws like `run`, except that errors in the answer are returned. */
	private async do(work: EngineWork, enter: EnterStatus, signal: AbortSignal) {
		signal.throwIfAborted();
		const { port1: port, port2 } = new MessageChannel();
		const termination = new AbortController();
		const send = (command: Command) => {
			port.postMessage(command);
		};
		let graceTimer: NodeJS.Timeout | undefined;
		const limitGrace = () => {
			graceTimer ??= setTimeout(() => {
				termination.abort();
			}, STOP_GRACE_MS);
		};
		const stop = () => {
			send('stop');
			if (!this.notBegun.has(termination)) limitGrace();
		};
		signal.addEventListener('abort', stop, { once: true });
		this.notBegun.add(termination);
		port.once('message', () => {
			this.notBegun.delete(termination);
			if (signal.aborted) limitGrace();
		});
		const lastEntered = passStatuses(port, enter, send);
		try {
			// Passed per run, so that a module that cannot load fails the run and not the thread.
			const { href: filename } = this.workerModule;
			const options = { filename, transferList: [port2], signal: termination.signal };
			const answer = await this.pool.run({ work, port: port2 }, options);
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
			this.notBegun.delete(termination);
			port.close();
		}
	}

	/** Ends all threads. */
	async close(): Promise<void> {
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

/** Converts a worker's answer to an error. */
function troubleOf(answer: EngineAnswer): Error {
	if (answer.kind !== 'failed') return new Error(`The engine answered with ${answer.kind}`);
	if (answer.errorName === 'UnusableInput') return new EditFailure(answer.message);
	return Object.assign(new Error(answer.message), { stack: answer.stack });
}
