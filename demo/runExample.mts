import '../testkit/process/environment.ts';

import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import type { LocalService } from '../testkit/service/localService.ts';
import {
	itemsOf,
	readFile as readBinary,
	runWorkflow,
	startEngine,
	storeFile,
	type WorkflowJson,
} from '../testkit/n8n/n8nEngine.ts';
import { loadCredential, loadNodes } from './builtPackage.mts';

/** Output of the example workflow. */
export interface DemoResult {
	/** What was edited, in words. */
	readonly cutsText: string;
	readonly fileName: string;
	readonly content: Buffer;
}

const WORKFLOW = join(import.meta.dirname, '..', 'workflows', 'one-node-episode.json');

const EDITING_NODE = 'Audio Editing';

/** Without texts, because a fresh machine has no program that recognizes speech. */
const FORM = { preset: 'fullEdit', alsoReturn: [] };

/** Polls sooner than after 30 s, because the demo's recording is short. Keeps the edit for the service's page. */
const OPTIONS = {
	costAndSafety: { deleteWhenFetched: false },
	advanced: { firstPollDelaySeconds: 2, pollIntervalSeconds: 5 },
};

/** Runs the example workflow on a recording. @param log gets the nodes as they start, and n8n's log */
export async function runExample(
	service: LocalService,
	recording: string,
	log: (text: string) => void,
): Promise<DemoResult> {
	await startEngine();
	const binary = await storeFile(await readFile(recording), basename(recording), 'audio/mpeg');
	const run = await runWorkflow({
		workflow: await loadWorkflow(),
		nodeTypes: loadNodes(),
		credentialTypes: { audioEditingApi: loadCredential() },
		credentials: { audioEditingApi: { baseUrl: service.url, apiKey: service.apiKey } },
		items: [{ json: {}, binary: { Recording: binary } }],
		onNodeStart: (name) => {
			log(`Node ${name}`);
		},
		onLog: ({ level, message }) => {
			if (level === 'info') log(`  ${message}`);
		},
	});
	if (run.data.resultData.error) throw run.data.resultData.error;
	const [{ json, binary: files = {} }] = itemsOf(run, EDITING_NODE);
	const { cutsText } = json.edit as { cutsText: string };
	const { fileName = 'edited.mp3' } = files.data;
	return { cutsText, fileName, content: await readBinary(files.data) };
}

/** Reads the workflow and sets the credential, which a user would select after the import. */
async function loadWorkflow(): Promise<WorkflowJson> {
	const workflow = JSON.parse(await readFile(WORKFLOW, 'utf8')) as WorkflowJson;
	for (const node of workflow.nodes) {
		if (node.name !== EDITING_NODE) continue;
		node.credentials = { audioEditingApi: { id: '1', name: 'Audio Editing' } };
		node.parameters = { ...node.parameters, ...FORM, ...OPTIONS };
	}
	return workflow;
}
