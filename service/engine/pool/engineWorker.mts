import type { MessagePort } from 'node:worker_threads';

import { alignSound } from '../align/alignSound.mts';
import { editRecording } from '../editRecording.mts';
import { readSpeech } from '../track.mts';
import { hasLowPriority } from '../threads/cpuPriority.mts';
import type { EngineStatus, OnStatus } from '../types.mts';
import {
	BEGUN,
	type Command,
	type EngineAnswer,
	type EngineTask,
	type EngineWork,
} from './engineMessages.mts';

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

async function done(work: EngineWork, announce: OnStatus, signal: AbortSignal) {
	if (work.kind === 'speech') {
		return { kind: work.kind, speech: await readSpeech(work.request, signal) } as const;
	}
	if (work.kind === 'align') {
		return { kind: work.kind, alignment: await alignSound(work.request, signal) } as const;
	}
	const result = await editRecording(work.request, announce, signal);
	return { kind: 'edited', result } as const;
}

/** The entry point that piscina calls in its thread. */
export default async function run({ work, port }: EngineTask): Promise<EngineAnswer> {
	const { signal, announce } = listen(port);
	port.postMessage(BEGUN);
	try {
		return { ...(await done(work, announce, signal)), hasLowPriority: hasLowPriority() };
	} catch (error) {
		const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
		return { kind: 'failed', errorName: name, message, stack, hasLowPriority: hasLowPriority() };
	} finally {
		port.close();
	}
}
