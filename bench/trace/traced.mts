/**
 * Edits one recording with a traced Audio Editing in n8n's engine, as its form is when it is new. Argument: a
 * TracedRun as JSON. Sends its parent the Steps.
 */
import '../../testkit/process/environment.ts';

import { subscribe } from 'node:diagnostics_channel';

import { loadCredential, loadNodes } from '../../demo/builtPackage.mts';
import { chain, credentialFor } from '../../testkit/n8n/chain.ts';
import { itemsOf, runWorkflow, startEngine, storeFile } from '../../testkit/n8n/n8nEngine.ts';
import { ENTERED, type Step } from './tracedFiles.mts';

/** The service, and the folder with the traced package. */
export interface TracedRun {
	readonly url: string;
	readonly folder: string;
}

/** All functions that were entered, in order. */
export interface Steps {
	readonly steps: readonly Step[];
}

const { url, folder } = JSON.parse(process.argv[2]) as TracedRun;

await startEngine();
const nodeTypes = loadNodes(folder);
const binary = await storeFile(Buffer.alloc(64 * 1_024, 7), 'a.wav', 'audio/wav');

async function editOne(): Promise<void> {
	const run = await runWorkflow({
		workflow: chain({ type: 'audioEditing' }),
		items: [{ json: {}, binary: { data: binary } }],
		nodeTypes,
		credentialTypes: { audioEditingApi: loadCredential() },
		credentials: { audioEditingApi: credentialFor({ url, apiKey: 'bench' }) },
	});
	if (run.data.resultData.error) throw run.data.resultData.error;
	if (itemsOf(run, 'audioEditing')[0].binary?.data === undefined) throw new Error('No file came');
}

// The first one loads the files that only run.
await editOne();
const steps: Step[] = [];
subscribe(ENTERED, (step) => steps.push(step as Step));
await editOne();
process.send?.({ steps } satisfies Steps, () => process.exit());
