import type { MessagePort } from 'node:worker_threads';

import { z } from 'zod';

import type { SpeechOrder } from '../track.mts';
import type { EngineStatus, RecordingJob, RecordingResult } from '../types.mts';

/** What a worker thread does: edit a recording, or put one on disk as a recogniser takes it. */
export type EngineWork =
	| { kind: 'edit'; job: RecordingJob }
	| { kind: 'speech'; order: SpeechOrder };

/** What a worker thread is given. */
export interface EngineTask {
	work: EngineWork;
	/** Over it statuses come out and permissions to go on, or the order to stop, go in. */
	port: MessagePort;
}

/** What a worker thread gives back. Errors come as data: an error's own name does not cross threads. */
export type EngineAnswer =
	| { kind: 'edited'; result: RecordingResult }
	| { kind: 'speech'; seconds: number }
	| { kind: 'failed'; errorName: string; message: string; stack: string };

/** Worker to pool: the engine is about to enter a status and waits for permission. */
export interface StatusMessage {
	status: EngineStatus;
}

/** Pool to worker. */
export const orderSchema = z.enum(['continue', 'stop']);

/** What the pool orders a worker to do. */
export type Order = z.infer<typeof orderSchema>;

/** The message that a worker's port brings, checked. */
export const statusMessageSchema: z.ZodType<StatusMessage> = z.object({
	status: z.enum(['PREPROCESSING', 'CLASSIFICATION', 'EDITING', 'POSTPROCESSING', 'EXPORT']),
});
