import type { IDataObject, INodeExecutionData, IRun } from 'n8n-workflow';

import type { WorkflowJson } from '../../../testkit/n8n/n8nEngine';
import { expectToFit } from '../../../testkit/n8n/outputSchemas';
import { runOne } from '../../../testkit/service/useService';
import { chain, runChain } from '../../../testkit/n8n/workflows';
import { useRecordingService } from '../../../testkit/service/recordingService';

const service = useRecordingService();

const urlOf = (name: string) => ({ json: { fileUrl: `https://files.example.com/${name}.wav` } });

/** An execution as the API of n8n returns it with its details. */
interface Execution {
	readonly id: string;
	readonly workflowData: WorkflowJson;
	readonly data: IRun['data'];
}

async function execute(
	id: string,
	workflow: WorkflowJson,
	items: INodeExecutionData[],
): Promise<Execution> {
	const { data } = await runChain(service, workflow, items, { executionId: id });
	return JSON.parse(JSON.stringify({ id, workflowData: workflow, data })) as Execution;
}

async function create(id: string, ...names: string[]): Promise<Execution> {
	const settings = { onError: 'continueRegularOutput' } as const;
	const workflow = chain({ type: 'createEdit', settings });
	return await execute(id, workflow, names.map(urlOf));
}

async function openEdits(...executions: readonly object[]) {
	const parameters = { resource: 'edit', operation: 'getOpen' };
	const items = executions.map((execution) => ({ json: execution as IDataObject }));
	const { out, error, hints } = await runOne(service, 'account', parameters, items);
	const edits = out.map(({ json }) => json);
	for (const json of edits) expectToFit({ type: 'account', ...parameters }, json);
	return { edits, error, hints };
}

describe('Edit, Get Open', () => {
	it('names what executions submitted and did not fetch, charged or uncertain', async () => {
		service.fault = ({ method, body }) =>
			method === 'POST' && body.includes('c.wav') ? { cut: true } : undefined;
		const created = await create('11', 'a', 'b', 'c');
		const rest = chain({ type: 'waitForEdit' }, { type: 'getResult' });
		const fetched = await execute('12', rest, [{ json: { editId: 'edit-1' } }]);
		const { edits, error } = await openEdits(created, fetched);
		expect(error).toBeUndefined();
		expect(edits).toEqual([
			{
				editId: 'edit-2',
				submittedAt: expect.any(String),
				charged: 'yes',
				sourceFileName: 'b.wav',
				executionId: '11',
				node: 'createEdit',
				status: expect.stringMatching(/^(EDITING|SUCCESS)$/),
			},
			{
				charged: 'uncertain',
				sourceFileName: 'c.wav',
				executionId: '11',
				node: 'createEdit',
				status: null,
			},
		]);
	});

	it('reads the custom data of an execution that was stopped, of which n8n has nothing else', async () => {
		await create('11', 'a');
		const data = { resultData: { runData: {} } };
		const customData = { audioEditingEdits: '2 edits: edit-1, …', mine: 'x' };
		const { edits, hints } = await openEdits({ id: '11', data, customData });
		expect(edits).toEqual([
			{ editId: 'edit-1', charged: 'yes', executionId: '11', status: 'EDITING' },
		]);
		expect(hints).toContainEqual(
			expect.stringMatching(/^execution 11: created 2 edits, .*log names/),
		);
	});

	it('has no hint if n8n kept the ledger, too, which has all edits', async () => {
		const created = await create('11', 'a', 'b');
		const customData = { audioEditingEdits: '2 edits: edit-1, …' };
		const { edits, hints } = await openEdits({ ...created, customData });
		expect(edits).toHaveLength(2);
		expect(hints.join()).not.toContain('kept the IDs');
	});

	it('names an edit once that a retry of its execution knows, too', async () => {
		const created = await create('11', 'a');
		const { edits } = await openEdits(created, { ...created, id: '12' });
		expect(edits).toMatchObject([{ editId: 'edit-1', executionId: '11' }]);
	});
});

describe('Edit, Get Open, in executions', () => {
	it('does not name the edits that Audio Editing fetched, or Delete deleted', async () => {
		const recording = { type: 'audioEditing', parameters: { recordingFrom: 'url' } };
		const whole = await execute('11', chain(recording), [urlOf('a')]);
		const created = await create('12', 'b');
		const deleted = await execute('13', chain({ type: 'delete' }), [
			{ json: { editId: 'edit-2' } },
		]);
		expect(service.charged).toHaveLength(2);
		const { edits, error } = await openEdits(whole, created, deleted);
		expect(error).toBeUndefined();
		expect(edits).toEqual([]);
	});

	it('says which node goes before it', async () => {
		const { error } = await openEdits({ id: '11', status: 'canceled' });
		expect(error?.message).toBe('The item is not an n8n execution with its details [item 0]');
		expect(error?.description).toMatch(/own node 'n8n' before this one.*Include Execution Details/);
	});

	it('reads an execution of other nodes, and one whose data is damaged', async () => {
		const { edits, error } = await openEdits(
			{ id: '1', data: { resultData: { runData: { Set: [] } } } },
			{
				id: '2',
				data: { executionData: { contextData: { 'node:X': { submissions: [null, 7] } } } },
			},
			{ id: '3', data: {}, workflowData: { nodes: 'none' } },
		);
		expect(error).toBeUndefined();
		expect(edits).toEqual([]);
	});
});

it.each<[string, string, IDataObject, boolean]>([
	['fetched', 'getResult', {}, false],
	['fetched by an agent', 'getResultTool', {}, false],
	['deleted by an agent', 'deleteTool', { deleted: true }, false],
	['edited and fetched by an agent', 'audioEditingTool', { finished: true }, false],
	['not fetched, with an error', 'getResult', { error: 'no' }, true],
	['not fetched, with a failure', 'getResult', { failure: { message: 'no' } }, true],
	['not deleted', 'delete', { failure: { message: 'no' } }, true],
	['still at work', 'audioEditing', { finished: false }, true],
	['waited for only', 'waitForEdit', { finished: true }, true],
])('%s, an edit is open or not', async (_how, type, json, isOpen) => {
	const created = await create('11', 'a');
	const items = [{ json: { editId: 'edit-1', ...json } }];
	const task = { data: { main: [items] } };
	const execution = {
		id: '12',
		workflowData: chain({ type, name: 'one' }),
		data: { resultData: { runData: { one: [task] } } },
	};
	const { edits } = await openEdits(created, execution);
	expect(edits.map(({ editId }) => editId)).toEqual(isOpen ? ['edit-1'] : []);
});
