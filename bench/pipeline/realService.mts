import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { loadCredential, loadNodes } from '../../demo/builtPackage.mts';
import { chain, credentialFor, type NodeSpec } from '../../test/support/chain.ts';
import { type LocalService, startLocalService } from '../../test/support/localService.ts';
import { itemsOf, runWorkflow, startEngine, storeFile } from '../../test/support/n8nEngine.ts';
import { makeRecording } from '../../test/support/recording.ts';
import { liveInRealTime } from './clock.mts';

const RECORDINGS = 8;

/** One edit after the other, a second in each state: short recordings would all be done at the first poll. */
const SLOWLY = ['--minimum-state-seconds', '1', '--concurrency', '1'];

const SILENCES: INodeParameters = { options: { long_silences: true } };

const ONE_NODE: NodeSpec[] = [{ type: 'audioEditing', parameters: SILENCES }];

const CHAIN: NodeSpec[] = [
	{ type: 'upload' },
	{ type: 'createEdit', parameters: SILENCES },
	{ type: 'waitForEdit' },
	{ type: 'getResult' },
	{ type: 'delete' },
];

/** In seconds. */
interface Times {
	readonly wall: number;
	/** When the first edited file began to arrive. */
	readonly firstFile: number;
}

/** Edits real recordings with the real local service, in n8n's engine and in real time. */
export async function showRealService(): Promise<void> {
	liveInRealTime();
	await startEngine();
	const node = await timesOf(ONE_NODE, 'audioEditing');
	const nodes = await timesOf(CHAIN, 'getResult');
	const text = ({ wall, firstFile }: Times) =>
		`${wall.toFixed(1)} s, first edited file after ${firstFile.toFixed(1)} s`;
	console.log(`${RECORDINGS} real recordings at the real local service, one edit at a time:`);
	console.log(`one node: ${text(node)}`);
	console.log(`chain of five: ${text(nodes)}`);
	const ratios = [node.firstFile / nodes.firstFile, node.wall / nodes.wall];
	const [first, wall] = ratios.map((ratio) => ratio.toFixed(2));
	console.log(`one node / chain of five: first file ${first}, wall ${wall}`);
}

async function timesOf(specs: readonly NodeSpec[], lastWithFiles: string): Promise<Times> {
	// A new service, because the rate limits of the key would hold up the second.
	const service = await startLocalService(SLOWLY);
	try {
		return await edit(service, specs, lastWithFiles);
	} finally {
		await service.stop();
	}
}

async function edit(
	service: LocalService,
	specs: readonly NodeSpec[],
	lastWithFiles: string,
): Promise<Times> {
	const items = await Promise.all(Array.from({ length: RECORDINGS }, recordingItem));
	const firstDownload = watchDownloads();
	const beganAtMs = performance.now();
	const run = await runWorkflow({
		workflow: chain(...specs),
		items,
		nodeTypes: loadNodes(),
		credentialTypes: { audioEditingApi: loadCredential() },
		credentials: { audioEditingApi: credentialFor(service) },
	});
	const wall = (performance.now() - beganAtMs) / 1_000;
	if (run.data.resultData.error) throw run.data.resultData.error;
	const edited = itemsOf(run, lastWithFiles).filter(({ binary }) => binary !== undefined);
	if (edited.length !== RECORDINGS) throw new Error(`${edited.length} recordings were edited`);
	return { wall, firstFile: (firstDownload() - beganAtMs) / 1_000 };
}

async function recordingItem(_: unknown, index: number): Promise<INodeExecutionData> {
	const recording = makeRecording({ partsSeconds: [2 + index / 4, 3, 2, 3, 1] });
	return { json: {}, binary: { data: await storeFile(recording, `r${index}.wav`, 'audio/wav') } };
}

/** Notes when the first file begins to arrive; the returned function says when, and stops to watch. */
function watchDownloads(): () => number {
	let firstAtMs = Infinity;
	const onResponse = (message: unknown) => {
		const { request } = message as { request: ClientRequest };
		const isFile = request.method === 'GET' && !request.path.startsWith('/v2/edits/');
		if (isFile) firstAtMs = Math.min(firstAtMs, performance.now());
	};
	subscribe('http.client.response.finish', onResponse);
	return () => {
		unsubscribe('http.client.response.finish', onResponse);
		return firstAtMs;
	};
}
