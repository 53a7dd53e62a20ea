import type { MessagePort } from 'node:worker_threads';

import type { Alignment, AlignRequest } from '../align/alignSound.mts';
import type { ReadSpeech, SpeechRequest } from '../track.mts';
import type { RecordingRequest, RecordingResult } from '../types.mts';

/** The work of a thread: edit a recording, write its speech to disk for a recognizer, or find an edited one in it. */
export type EngineWork =
	| { kind: 'edit'; request: RecordingRequest }
	| { kind: 'speech'; request: SpeechRequest }
	| { kind: 'align'; request: AlignRequest };

/** The message that starts a worker thread. */
export interface EngineTask {
	work: EngineWork;
	/** Carries BEGUN and each status that the engine is about to enter to the pool, and commands to the worker. */
	port: MessagePort;
}

/**
 * The answer of a worker thread. Errors are sent as data, because an error's name does not survive
 * the transfer between threads.
 */
export type EngineAnswer = (
	| { kind: 'edited'; result: RecordingResult }
	| { kind: 'speech'; speech: ReadSpeech }
	| { kind: 'align'; alignment: Alignment }
	| { kind: 'failed'; errorName: string; message: string; stack: string }
) & {
	/** Whether the thread now has a lower priority, which lasts. */
	hasLowPriority: boolean;
};

/** What a worker sends first: it has loaded all that it needs, so that its thread may be killed. */
export const BEGUN = 'begun';

/** A command from the pool to a worker. */
export type Command = 'continue' | 'stop';
