import PQueue from 'p-queue';

import { EditFailure, ProgramCrashed, TransientTrouble } from '../../shared/failures.mts';
import { besideModule } from '../../shared/threadModule.mts';
import type { Alignment, AlignRequest } from '../align/alignSound.mts';
import type { ReadSpeech, SpeechRequest } from '../track.mts';
import type { RecordingRequest } from '../types.mts';
import type { EngineAnswer, EngineWork } from './engineMessages.mts';
import { EngineThread, type EnterStatus } from './engineThread.mts';

/** Worker threads for media work, which would otherwise block HTTP. */
export class EnginePool {
	private readonly places: PQueue;
	private readonly threads = new Set<EngineThread>();
	private readonly idle: EngineThread[] = [];

	/** @param workerModule the module that the threads run; replaced only in tests. */
	constructor(
		threads: number,
		private readonly workerModule = besideModule(import.meta.url, 'engineWorker'),
	) {
		this.places = new PQueue({ concurrency: threads });
	}

	/**
	 * Runs the engine on one recording.
	 *
	 * @throws EditFailure for input that cannot be used, TransientTrouble when the machine ended ffmpeg,
	 * ProgramCrashed when ffmpeg ended itself, any other error with the stack of its thread, the
	 * signal's reason when aborted.
	 */
	async run(request: RecordingRequest, enter: EnterStatus, signal: AbortSignal) {
		const answer = await this.do({ kind: 'edit', request }, enter, signal);
		if (answer.kind !== 'edited') throw troubleOf(answer);
		return answer.result;
	}

	/**
	 * Writes the speech of a source to disk for a recognizer.
	 *
	 * @throws like `run`.
	 */
	async readSpeech(request: SpeechRequest, signal: AbortSignal): Promise<ReadSpeech> {
		const answer = await this.do({ kind: 'speech', request }, () => Promise.resolve(), signal);
		if (answer.kind !== 'speech') throw troubleOf(answer);
		return answer.speech;
	}

	/**
	 * Finds where an edited sound has its source.
	 *
	 * @throws like `run`.
	 */
	async align(request: AlignRequest, signal: AbortSignal): Promise<Alignment> {
		const answer = await this.do({ kind: 'align', request }, () => Promise.resolve(), signal);
		if (answer.kind !== 'align') throw troubleOf(answer);
		return answer.alignment;
	}

	/** Runs work on a thread. @throws like `run`, except that errors in the answer are returned. */
	private async do(work: EngineWork, enter: EnterStatus, signal: AbortSignal) {
		return await this.places.add(async () => {
			const thread = this.idle.pop() ?? this.start();
			try {
				return await thread.do(work, enter, signal);
			} finally {
				if (thread.isSpent) await this.end(thread);
				else this.idle.push(thread);
			}
		});
	}

	private start(): EngineThread {
		const thread = new EngineThread(this.workerModule);
		this.threads.add(thread);
		return thread;
	}

	private async end(thread: EngineThread): Promise<void> {
		this.threads.delete(thread);
		await thread.close();
	}

	/** Ends all threads. */
	async close(): Promise<void> {
		await Promise.all([...this.threads].map((thread) => this.end(thread)));
	}
}

/** Converts a worker's answer to an error. */
function troubleOf(answer: EngineAnswer): Error {
	if (answer.kind !== 'failed') return new Error(`The engine answered with ${answer.kind}`);
	const { errorName, message, stack } = answer;
	if (errorName === 'UnusableInput') return new EditFailure(message);
	if (errorName === 'TransientTrouble') return new TransientTrouble(message);
	if (errorName === 'ProgramCrashed') return new ProgramCrashed(message);
	return Object.assign(new Error(message), { name: errorName, stack });
}
