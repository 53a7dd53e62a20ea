import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Time } from '../../api/time.ts';
import { Slots } from '../../nodes/core/run/slots.ts';
import { type Host, fileItem, newKey, runNode } from './host.mts';
import { Gate } from './gate.mts';
import type { Line } from './line.mts';
import {
	ORIGIN,
	type Recording,
	type VirtualService,
	type ServiceRequest,
} from './virtualService.mts';

/** Where a batch is edited. */
export interface Place {
	readonly time: Time;
	readonly service: VirtualService;
	readonly downlink: Line;
	readonly recordings: readonly Recording[];
	readonly submissionsPerMinute: number;
}

/** A way of editing a batch. It calls `onStored` for each edited file that is in n8n. */
export type BatchClient = (place: Place, onStored: () => void) => Promise<void>;

/** Of all requests; a file also takes the time that the line needs. */
const LATENCY_MS = 150;

/** What the nodes transfer at once by default. */
const TRANSFERS_AT_ONCE = 2;

/** More than any batch takes: the default would end the wait for edits at the end of a long queue. */
const LONG_ENOUGH = { advanced: { maximumWaitMinutes: 30 * 24 * 60 } };

/** The node Audio Editing with its defaults. */
export const oneNode: BatchClient = async (place, onStored) => {
	await pass(place, onStored, ['audioEditing', LONG_ENOUGH]);
};

/** The nodes that do one step each, with their defaults. Delete would only come after all files. */
export const chainOfFive: BatchClient = async (place, onStored) => {
	const steps = [
		['upload', {}],
		['createEdit', {}],
		['waitForEdit', LONG_ENOUGH],
		['getResult', {}],
	] as const;
	await pass(place, onStored, ...steps);
};

async function pass(
	place: Place,
	onStored: () => void,
	...steps: ReadonlyArray<readonly [type: string, parameters: INodeParameters]>
): Promise<void> {
	const { recordings, service, time, downlink } = place;
	const send = async (request: ServiceRequest, signal?: AbortSignal) => {
		await time.sleep(LATENCY_MS / 2);
		const answer = await service.answer(request, signal);
		await time.sleep(LATENCY_MS / 2);
		return answer;
	};
	const host: Host = { send, downlink, onStored, apiKey: newKey() };
	let items: INodeExecutionData[] = recordings.map(({ name, sizeBytes }) =>
		fileItem(name, sizeBytes),
	);
	for (const [type, parameters] of steps) {
		[items] = await runNode(host, { type, parameters, items });
		if (items.length !== recordings.length) throw new Error(`${type} lost items`);
	}
}

/**
 * A client that knows when each edit ends, and so asks nothing. It keeps the same limits to the
 * millisecond, has the same transfers at once, and takes the recordings in the same order.
 *
 * @param goesFirst which requests go first when the rate limit allows one
 */
export function ideal(goesFirst: 'uploads' | 'edits'): BatchClient {
	return async ({ time, service, downlink, recordings, submissionsPerMinute }, onStored) => {
		const uploads = new Slots(TRANSFERS_AT_ONCE);
		const downloads = new Slots(TRANSFERS_AT_ONCE);
		const gate = new Gate(time, submissionsPerMinute);
		const ask = async (request: ServiceRequest) => {
			await time.sleep(LATENCY_MS / 2);
			const { body, statusCode } = await service.answer(request);
			if (statusCode !== 200) throw new Error(`The ideal client was answered ${statusCode}`);
			await time.sleep(LATENCY_MS / 2);
			return body as { id: string };
		};
		const upload = async (filename: string, sizeBytes: number) => {
			await gate.wait(goesFirst === 'uploads' ? 0 : 1);
			await ask({ method: 'POST', url: `${ORIGIN}/v2/upload`, filename });
			await ask({ method: 'PUT', url: `${ORIGIN}/put/${filename}`, sizeBytes });
		};
		const edit = async ({ name, sizeBytes, editedBytes }: Recording) => {
			await uploads.take();
			await upload(name, sizeBytes);
			uploads.giveBack();
			await gate.wait(goesFirst === 'edits' ? 0 : 1);
			const body = JSON.stringify({ input: { files: [`${ORIGIN}/put/${name}`] } });
			const { id } = await ask({ method: 'POST', url: `${ORIGIN}/v2/edits`, body });
			await service.job(id)?.ended;
			await downloads.take();
			await time.sleep(LATENCY_MS);
			await downlink.pass(editedBytes);
			downloads.giveBack();
			onStored();
		};
		await Promise.all(recordings.map(edit));
	};
}
