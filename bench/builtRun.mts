/** The built nodes in n8n's engine, for a process that a bench starts. */
import '../testkit/process/environment.ts';

import type { INodeExecutionData, INodeType } from 'n8n-workflow';

import { loadCredential, loadNodes } from '../demo/builtPackage.mts';
import { chain, credentialFor, type NodeSpec } from '../testkit/n8n/chain.ts';
import { itemsOf, runWorkflow, startEngine } from '../testkit/n8n/n8nEngine.ts';

await startEngine();
const ours = loadNodes();
const credentialTypes = { audioEditingApi: loadCredential() };

/** A custom plan, because 30 submissions a minute would slow a run. */
const PLAN = { plan: 'custom', submissionsPerMinute: 1_000_000 };

/** Runs a chain of nodes on the service at a URL, and returns what the last one outputs. */
export async function runBuilt(
	url: string,
	items: INodeExecutionData[],
	specs: readonly NodeSpec[],
	others: Readonly<Record<string, INodeType>> = {},
): Promise<INodeExecutionData[]> {
	const run = await runWorkflow({
		workflow: chain(...specs),
		items,
		nodeTypes: { ...ours, ...others },
		credentialTypes,
		credentials: { audioEditingApi: { ...credentialFor({ url, apiKey: 'bench' }), ...PLAN } },
	});
	if (run.data.resultData.error) throw run.data.resultData.error;
	return itemsOf(run, specs.at(-1)?.type ?? '');
}

/** Sends the parent what this process was started for, and ends. */
export function sendAndEnd(message: object): void {
	process.send?.(message, () => {
		process.exit();
	});
}
