/**
 * The process that is measured: moves files through n8n's engine with one node, as its argument (an
 * Order as JSON) says, and tells its parent a Measured.
 */
import '../../test/support/environment.ts';

import type { INodeExecutionData, IRun } from 'n8n-workflow';

import { loadCredential, loadNodes, namedNodes } from '../../demo/builtPackage.mts';
import { chain, credentialFor } from '../../test/support/chain.ts';
import { itemsOf, runWorkflow, startEngine } from '../../test/support/n8nEngine.ts';
import type { BenchFile, Measured, Order } from './order.mts';
import { startPeakMeter } from './peak.mts';
import { PEER_NODES } from './peerNodes.mts';

/** So often the small file goes before: code is loaded and compiled then. */
const WARM_UPS = 3;

const OURS = { upload: 'upload', download: 'getResult' } as const;

const order = JSON.parse(process.argv[2]) as Order;

/** The same item for all clients: ours look at the id, the others at the URL. */
function itemFor({ sizeBytes, binary }: BenchFile): INodeExecutionData {
	if (order.direction === 'upload') {
		return { json: { url: `${order.serviceUrl}/files/a.wav` }, binary: { data: binary } };
	}
	const url = `${order.serviceUrl}/download/${sizeBytes}`;
	return { json: { editId: `${sizeBytes}-1`, url } };
}

const nodeName = { upload: 'Upload', download: 'Download' }[order.direction];
const type = order.client === 'ours' ? OURS[order.direction] : order.client + nodeName;

async function run(files: readonly BenchFile[]): Promise<IRun> {
	return await runWorkflow({
		workflow: chain({ type }),
		items: files.map(itemFor),
		nodeTypes,
		credentialTypes: { audioEditingApi: loadCredential() },
		credentials: { audioEditingApi: credentialFor({ url: order.serviceUrl, apiKey: 'bench' }) },
	});
}

/** Nothing counts that did not arrive whole. */
function requireWhole(result: IRun, files: readonly BenchFile[]): void {
	const { error } = result.data.resultData;
	if (error) throw error;
	const items = itemsOf(result, type);
	files.forEach(({ sizeBytes }, index) => {
		const item = items.at(index);
		const moved = order.direction === 'upload' ? item?.json.sizeBytes : item?.binary?.data.bytes;
		if (moved !== sizeBytes) throw new Error(`Not all of ${sizeBytes} bytes were moved`);
	});
}

async function measure(): Promise<Measured> {
	for (let warmUps = 0; warmUps < WARM_UPS; warmUps++) {
		requireWhole(await run([order.warmUp]), [order.warmUp]);
	}
	const meter = startPeakMeter();
	const startedAtMs = performance.now();
	const result = await run(order.files);
	const peakOverBaselineBytes = meter.peakOverBaselineBytes();
	const seconds = (performance.now() - startedAtMs) / 1_000;
	const { error } = result.data.resultData;
	if (error) return { refusal: error.message };
	requireWhole(result, order.files);
	return { peakOverBaselineBytes, seconds, method: meter.method };
}

await startEngine();
const nodeTypes = { ...loadNodes(), ...namedNodes(PEER_NODES) };
const measured = await measure();
process.send?.(measured, () => {
	process.exit();
});
