import '../test/support/environment.ts';

import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import type { IBinaryKeyData, IDataObject, INode, IRun } from 'n8n-workflow';

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

/** An example workflow, and where its output is. */
export interface Example {
	readonly title: string;
	/** Its file in the folder `workflows`. */
	readonly file: string;
	readonly read: (run: IRun) => Output;
}

/** What the nodes of a workflow have put out. */
interface Output {
	readonly edit: IDataObject;
	readonly files: IBinaryKeyData;
	readonly isDeleted: boolean;
}

export const ONE_NODE: Example = {
	title: 'One node, from the file to the edited file, subtitles, chapters and show notes',
	file: 'one-node-episode.json',
	read: (run) => {
		const [{ json, binary = {} }] = itemsOf(run, 'Edit Recording');
		const edit = json.edit as IDataObject;
		return { edit, files: binary, isDeleted: edit.deleted === true };
	},
};

export const FIVE_NODES: Example = {
	title: 'Five nodes, one for each step, with markers of the edits',
	file: 'edit-one-recording.json',
	read: (run) => {
		const [{ json, binary = {} }] = itemsOf(run, 'Get Result');
		const [deletion] = itemsOf(run, 'Delete');
		return { edit: json, files: binary, isDeleted: deletion.json.deleted === true };
	},
};

/** Output of an example workflow. */
export interface DemoResult {
	editId: string;
	statistics: Record<string, number>;
	/** The edited file, then the others. */
	files: { name: string; content: Buffer }[];
	isDeleted: boolean;
}

const ROOT = join(import.meta.dirname, '..');

/** Polls sooner than the workflow's 30 s, because the demo's recording is short. */
const QUICK_POLLS = { firstPollDelaySeconds: 2, pollIntervalSeconds: 5 };

const POLLING = ['Wait For Edit', 'Edit Recording'];

/** Runs an example workflow on a recording and prints its progress. */
export async function runExample(
	service: LocalService,
	recording: string,
	example: Example,
): Promise<DemoResult> {
	await startEngine();
	const startedAtMs = Date.now();
	const say = (text: string) => {
		console.log(`${((Date.now() - startedAtMs) / 1_000).toFixed(1).padStart(6)} s  ${text}`);
	};
	const binary = await storeFile(await readFile(recording), basename(recording), 'audio/mpeg');
	const run = await runWorkflow({
		workflow: await loadWorkflow(example.file),
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
	if (run.data.resultData.error) throw run.data.resultData.error;
	return await readResult(example.read(run));
}

async function loadWorkflow(file: string): Promise<WorkflowJson> {
	const path = join(ROOT, 'workflows', file);
	const workflow = JSON.parse(await readFile(path, 'utf8')) as WorkflowJson;
	for (const node of workflow.nodes) {
		if (node.type.startsWith(PACKAGE)) withCredential(node);
		if (POLLING.includes(node.name)) {
			node.parameters.options = { ...(node.parameters.options as object), ...QUICK_POLLS };
		}
	}
	return workflow;
}

/** Sets the credential, which a user would select after the import. */
function withCredential(node: INode): void {
	node.credentials = { audioEditingApi: { id: '1', name: 'Audio Editing' } };
}

async function readResult({ edit, files, isDeleted }: Output): Promise<DemoResult> {
	const { editId, statistics } = edit as Pick<DemoResult, 'editId' | 'statistics'>;
	const contents = Object.values(files).map(async (binary) => ({
		name: binary.fileName ?? 'edited',
		content: await readBinary(binary),
	}));
	return { editId, statistics, files: await Promise.all(contents), isDeleted };
}
