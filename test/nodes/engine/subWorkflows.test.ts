import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { itemsOf, readFile } from '../../../testkit/n8n/n8nEngine';
import { OUR_NODES } from '../../../testkit/n8n/ourNodes';
import { EXECUTE_WORKFLOW, executeWorkflow, subWorkflow } from '../../../testkit/n8n/subWorkflow';
import { type NodeSpec, chain, runChain } from '../../../testkit/n8n/workflows';
import { fileItem, useRecordingService } from '../../../testkit/service/recordingService';

const service = useRecordingService();

const NODE_TYPES = { ...OUR_NODES, [EXECUTE_WORKFLOW]: executeWorkflow };

/** Runs a workflow whose only node runs our nodes in a sub-workflow. */
async function inSubWorkflow(
	specs: readonly NodeSpec[],
	items: INodeExecutionData[],
	parameters: INodeParameters = {},
) {
	const executions: string[] = [];
	const parent = { type: 'sub', parameters, settings: { type: EXECUTE_WORKFLOW } };
	const run = await runChain(service, chain(parent), items, {
		nodeTypes: NODE_TYPES,
		executeWorkflow: subWorkflow(async (given, executionId) => {
			executions.push(executionId);
			return await runChain(service, chain(...specs), given, { mode: 'integrated', executionId });
		}),
	});
	return { error: run.data.resultData.error, out: itemsOf(run, 'sub'), executions };
}

const NAMES = ['a.wav', 'b.wav', 'c.wav'];

const recordings = async () =>
	await Promise.all(NAMES.map(async (name, episode) => await fileItem(name, { episode })));

const CHAIN: NodeSpec[] = [
	{ type: 'upload' },
	{ type: 'createEdit' },
	{ type: 'waitForEdit' },
	{ type: 'getResult' },
];

describe.each<[string, readonly NodeSpec[]]>([
	['Audio Editing', [{ type: 'audioEditing' }]],
	['the chain of nodes', CHAIN],
])('%s in a sub-workflow', (_title, specs) => {
	it.each([
		['once with all items', 'once', 1],
		['once for each item', 'each', 3],
	])('edits each recording once, if it runs %s', async (_how, mode, count) => {
		const { error, out, executions } = await inSubWorkflow(specs, await recordings(), { mode });
		expect(error).toBeUndefined();
		expect(executions).toHaveLength(count);
		expect([...service.charged].sort()).toEqual(NAMES);
		expect(out.map(({ json }) => json.sourceFileName)).toEqual(NAMES);
		const contents = out.map(async ({ binary }) => (await readFile(binary!.data)).toString());
		expect(await Promise.all(contents)).toEqual(out.map(({ json }) => `edited ${json.editId}`));
	});

	it('says in the parent what failed, and which edits there are', async () => {
		service.fault = ({ path, body }) =>
			path === '/v2/edits' && body.includes('c.wav')
				? { status: 422, body: { detail: 'no sound' } }
				: undefined;
		const { error } = await inSubWorkflow(specs, await recordings());
		expect(error?.message).toMatch(/^c\.wav: .*did not accept/);
		expect(error?.description).toMatch(/no sound.*Created in this run: .*edit-\d \('a.wav'\)/);
	});
});
