import type { MessagePort } from 'node:worker_threads';

import { z } from 'zod';

import type { SpeechRequest } from '../track.mts';
import type { EngineStatus, RecordingRequest, RecordingResult } from '../types.mts';

/** The work of a thread: edit a recording, or write its speech to disk for a recogniser. */
export type EngineWork =
	| { kind: 'edit'; request: RecordingRequest }
	| { kind: 'speech'; request: SpeechRequest };

/** The message that starts a worker thread. */
export interface EngineTask {
	work: EngineWork;
	/** Carries statuses to the pool, and commands (continue or stop) to the worker. */
	port: MessagePort;
}

/**
 * The answer of a worker thread. Errors are sent as data, because an error's name does not survive
 * the transfer between threads.
 */
export type EngineAnswer =
	| { kind: 'edited'; result: RecordingResult }
	| { kind: 'speech'; seconds: number }
	| { kind: 'failed'; errorName: string; message: string; stack: string };

/** Worker to pool: the engine is about to enter a status and waits for permission. */
export interface StatusMessage {
	status: EngineStatus;
}

/** Pool to worker. */
export const commandSchema = z.enum(['continue', 'stop']);

/** A command from the pool to a worker. */
export type Command = z.infer<typeof commandSchema>;

/** Checks a message from a worker's port. */
export const statusMessageSchema: z.ZodType<StatusMessage> = z.object({
	status: z.enum(['PREPROCESSING', 'CLASSIFICATION', 'EDITING', 'POSTPROCESSING', 'EXPORT']),
});
