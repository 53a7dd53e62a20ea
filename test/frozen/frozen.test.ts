/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests are not a community node: they read files */
import { readFileSync, readdirSync, writeFileSync } from 'fs';
import { type INode, type INodeExecutionData, NodeHelpers } from 'n8n-workflow';
import { basename, join } from 'path';
import { isDeepStrictEqual } from 'util';

import { type WorkflowJson, startEngine, storeFile } from '../support/n8nEngine';
import { OUR_NODES } from '../support/ourNodes';
import { polledNode } from '../support/pollNode';
import { runChain } from '../support/workflows';
import { type RecordedService, startRecordedService } from './recordedService';

/*
 * Workflows as n8n 2.41 saved them, and the requests they made then. Both are frozen: a saved workflow
 * never changes its requests. After the first release, make a change that would in a new version of the
 * node, and add a file for it here; record it with RECORD_FROZEN=<file name> npx jest test/frozen
 */

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const WORKFLOWS = join(__dirname, 'workflows');
const REQUESTS = join(__dirname, 'requests');

const TRACKS: INodeExecutionData[] = ['host', 'guest'].map((name) => ({
	json: { fileUrl: `https://files.example.com/${name}.wav` },
}));

const EDITS: INodeExecutionData[] = ['finished', 'endless', 'other'].map((editId) => ({
	json: { editId },
}));

/** What the first node of a workflow outputs: one item with a file if none is listed. */
const ITEMS: Readonly<Record<string, INodeExecutionData[]>> = {
	'create-edit': TRACKS,
	deliver: TRACKS.slice(0, 1),
	wait: EDITS,
};

let service: RecordedService;

beforeAll(async () => {
	await startEngine();
	service = await startRecordedService();
});

afterAll(async () => {
	await service.stop();
});

function readJson<T>(folder: string, name: string): T {
	return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as T;
}

async function itemWithFile(...fields: string[]): Promise<INodeExecutionData> {
	const file = await storeFile(Buffer.from('RIFF of a talk'), 'talk.wav', 'audio/wav');
	return { json: {}, binary: Object.fromEntries(fields.map((field) => [field, file])) };
}

async function runFrozen(name: string, workflow: WorkflowJson): Promise<void> {
	const fields = name === 'untouched' ? ['data'] : ['data', 'recording'];
	const items = ITEMS[name] ?? [await itemWithFile(...fields)];
	// Each has its own key: the limits of a key apply to all workflows of this process.
	const access = { url: service.url, apiKey: `${service.apiKey}-${name}` };
	const run = await runChain(access, workflow, items);
	expect(run.data.resultData.error).toBeUndefined();
}

/** Polls each trigger often enough to see what it starts with and what it repeats. */
async function pollFrozen({ nodes }: WorkflowJson): Promise<void> {
	for (const { type, parameters } of nodes) {
		const { poll } = polledNode(service, type.split('.')[1], parameters);
		await poll();
		await poll();
	}
}

let changed = 0;

afterAll(() => {
	const verdict = changed > 0 ? 'SHORT' : 'ok';
	process.stdout.write(
		`bar requests of the newest frozen workflows that changed: ${changed} (goal <= 0) ${verdict}\n`,
	);
});

const names = readdirSync(WORKFLOWS).map((file) => basename(file, '.json'));

describe('a saved workflow makes the same requests today', () => {
	it.each(names)('%s', async (name) => {
		const workflow = readJson<WorkflowJson>(WORKFLOWS, name);
		service.takeRequests();
		await (name.startsWith('trigger') ? pollFrozen(workflow) : runFrozen(name, workflow));
		const requests = service.takeRequests();
		if (process.env.RECORD_FROZEN === name) {
			writeFileSync(join(REQUESTS, `${name}.json`), `${JSON.stringify(requests, null, 2)}\n`);
		}
		const frozen = readJson<unknown[]>(REQUESTS, name);
		const longest = frozen.length > requests.length ? frozen : requests;
		changed += longest.filter((_, at) => !isDeepStrictEqual(frozen[at], requests[at])).length;
		expect(requests).toEqual(frozen);
	});
});

describe('n8n saves the same parameters again', () => {
	const nodes = names
		.flatMap((name) => readJson<WorkflowJson>(WORKFLOWS, name).nodes)
		.filter(({ type }) => type in OUR_NODES);

	it.each(nodes.map((node) => [node.name, node] as const))('%s', (_name, node: INode) => {
		const { description } = NodeHelpers.getVersionedNodeType(
			OUR_NODES[node.type],
			node.typeVersion,
		);
		const { properties } = description;
		// n8n's editor also leaves out defaults and hidden fields when it saves.
		const saved = NodeHelpers.getNodeParameters(
			properties,
			node.parameters,
			false,
			false,
			node,
			description,
		);
		expect(saved).toEqual(node.parameters);
	});

	it('covers every node of the package', () => {
		expect(new Set(nodes.map(({ type }) => type))).toEqual(new Set(Object.keys(OUR_NODES)));
	});
});
