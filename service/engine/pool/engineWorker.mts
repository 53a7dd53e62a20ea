import type { MessagePort } from 'node:worker_threads';

import { editRecording } from '../editRecording.mts';
import { readSpeech } from '../track.mts';
import type { EngineStatus } from '../types.mts';
import { BEGUN, type Command, type EngineAnswer, type EngineTask } from './engineMessages.mts';

/** Handles the pool's commands: resolves permissions, and turns `stop` into an abort signal. */
function listen(port: MessagePort) {
	const stopping = new AbortController();
	const waiting: Array<() => void> = [];
	port.on('message', (command: Command) => {
		if (command === 'stop') stopping.abort();
		for (const goOn of waiting.splice(0)) goOn();
	});
	const announce = async (status: EngineStatus): Promise<void> => {
		stopping.signal.throwIfAborted();
		const permission = new Promise<void>((resolve) => waiting.push(resolve));
		port.postMessage(status);
		await permission;
		stopping.signal.throwIfAborted();
	};
	return { signal: stopping.signal, announce };
}

/** The entry point that piscina calls in its thread. */
export default async function run({ work, port }: EngineTask): Promise<EngineAnswer> {
	const { signal, announce } = listen(port);
	port.postMessage(BEGUN);
	try {
		return work.kind === 'edit'
			? { kind: 'edited', result: await editRecording(work.request, announce, signal) }
			: { kind: 'speech', seconds: await readSpeech(work.request, signal) };
	} catch (error) {
		const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
		return { kind: 'failed', errorName: name, message, stack };
	} finally {
		port.close();
	}
}
