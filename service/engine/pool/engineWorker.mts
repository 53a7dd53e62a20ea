import type { MessagePort } from 'node:worker_threads';

import { editRecording } from '../editRecording.mts';
import { readSpeech } from '../track.mts';
import type { EngineStatus } from '../types.mts';
import { orderSchema, type EngineAnswer, type EngineTask } from './engineMessages.mts';

/** Receives the pool's orders: keeps each permission to go on, and turns `stop` into an abort signal. */
function listen(port: MessagePort) {
	const stopping = new AbortController();
	const waiting: Array<() => void> = [];
	port.on('message', (message: unknown) => {
		const order = orderSchema.parse(message);
		if (order === 'stop') stopping.abort();
		for (const goOn of waiting.splice(0)) goOn();
	});
	const announce = async (status: EngineStatus): Promise<void> => {
		stopping.signal.throwIfAborted();
		const permission = new Promise<void>((resolve) => waiting.push(resolve));
		port.postMessage({ status });
		await permission;
		stopping.signal.throwIfAborted();
	};
	return { signal: stopping.signal, announce };
}

/** Runs the engine in this thread; piscina calls it. */
export default async function run({ work, port }: EngineTask): Promise<EngineAnswer> {
	const { signal, announce } = listen(port);
	try {
		return work.kind === 'edit'
			? { kind: 'edited', result: await editRecording(work.job, announce, signal) }
			: { kind: 'speech', seconds: await readSpeech(work.order, signal) };
	} catch (error) {
		const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
		return { kind: 'failed', errorName: name, message, stack };
	} finally {
		port.close();
	}
}
