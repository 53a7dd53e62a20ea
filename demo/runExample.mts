import '../test/support/environment.ts';

import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import type { INode, IRun } from 'n8n-workflow';

import type { LocalService } from '../test/support/localService.ts';
import {
	itemsOf,
	readFile as readBinary,
	runWorkflow,
	startEngine,
	storeFile,
	type WorkflowJson,
} from '../test/support/n8nEngine.ts';
import { loadCredential, loadNodes, PACKAGE } from './builtPackage.mts';

/** Output of the example workflow. */
export interface DemoResult {
	editId: string;
	statistics: Record<string, number>;
	/** The edited file, then its markers. */
	files: { name: string; content: Buffer }[];
	isDeleted: boolean;
}

const ROOT = join(import.meta.dirname, '..');
const WORKFLOW = join(ROOT, 'workflows', 'edit-one-recording.json');

/** Polls sooner than the workflow's 30 s, because the demo's recording is short. */
const QUICK_POLLS = { firstPollDelaySeconds: 2, pollIntervalSeconds: 5 };

/** Runs the example workflow on a recording and prints its progress. */
export async function runExample(service: LocalService, recording: string): Promise<DemoResult> {
	await startEngine();
	const startedAtMs = Date.now();
	const say = (text: string) => {
		console.log(`${((Date.now() - startedAtMs) / 1_000).toFixed(1).padStart(6)} s  ${text}`);
	};
	const binary = await storeFile(await readFile(recording), basename(recording), 'audio/mpeg');
	const run = await runWorkflow({
		workflow: await loadWorkflow(),
		nodeTypes: loadNodes(),
		credentialTypes: { audioEditingApi: loadCredential() },
		credentials: { audioEditingApi: { baseUrl: service.url, apiKey: service.apiKey } },
		items: [{ json: {}, binary: { Recording: binary } }],
		onNodeStart: (name) => {
			say(name);
		},
		onLog: ({ level, message }) => {
			if (level === 'info') say(`  ${message}`);
		},
	});
	say('Done');
	return await readResult(run);
}

async function loadWorkflow(): Promise<WorkflowJson> {
	const workflow = JSON.parse(await readFile(WORKFLOW, 'utf8')) as WorkflowJson;
	for (const node of workflow.nodes) {
		if (node.type.startsWith(PACKAGE)) withCredential(node);
		if (node.name === 'Wait For Edit') node.parameters.options = QUICK_POLLS;
	}
	return workflow;
}

/** Sets the credential, which a user would select after the import. */
function withCredential(node: INode): void {
	node.credentials = { audioEditingApi: { id: '1', name: 'Audio Editing' } };
}

async function readResult(run: IRun): Promise<DemoResult> {
	if (run.data.resultData.error) throw run.data.resultData.error;
	const [result] = itemsOf(run, 'Get Result');
	const [deletion] = itemsOf(run, 'Delete');
	const { editId, statistics } = result.json as Pick<DemoResult, 'editId' | 'statistics'>;
	const binaries = Object.values(result.binary ?? {});
	const files = binaries.map(async (binary) => ({
		name: binary.fileName ?? 'edited',
		content: await readBinary(binary),
	}));
	return {
		editId,
		statistics,
		files: await Promise.all(files),
		isDeleted: deletion.json.deleted === true,
	};
}
