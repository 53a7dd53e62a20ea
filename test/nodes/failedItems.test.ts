import { NodeOperationError } from 'n8n-workflow';

import { failedItem } from '../../nodes/shared/items';
import { callAsTool } from '../support/callAsTool';
import { itemsOf, startEngine } from '../support/n8nEngine';
import { NODE } from '../support/nodeContext';
import { type ScriptedService, startScriptedService } from '../support/scriptedService';
import { chain, runChain } from '../support/workflows';

let service: ScriptedService;

beforeAll(async () => {
	await startEngine();
	service = await startScriptedService(({ path }) => {
		const id = path.split('/').at(-1) ?? '';
		const result = { filename: 'a.wav', download_url: `${service.url}/file/a` };
		return id === 'bad'
			? { body: { task_id: id, status: 'FAILURE' } }
			: { body: { task_id: id, status: 'SUCCESS', result } };
	});
});

afterAll(async () => {
	await service.stop();
});

const MESSAGE = /^Edit bad has no result/;

// What an n8n 1.68 passes on is shown in e2e/guarantees.test.mts.
describe.each([
	['continueRegularOutput', 0],
	['continueErrorOutput', 1],
] as const)('On Error %s', (onError, output) => {
	it.each([[['bad', 'good']], [['good', 'bad']]])(
		'n8n passes on the message alone when %j come in',
		async (editIds) => {
			const node = { type: 'getResult', parameters: { download: [] }, settings: { onError } };
			const items = editIds.map((editId) => ({ json: { editId } }));
			const run = await runChain(service, chain(node), items);
			const failed = itemsOf(run, 'getResult', output).filter(({ error }) => error !== undefined);
			expect(failed.map(({ json }) => json)).toEqual([{ error: expect.stringMatching(MESSAGE) }]);
		},
	);
});

it('an agent before version 3 reads the edit, the message and the advice of a failed item', async () => {
	const parameters = { editId: 'bad', download: [] };
	const onError = 'continueRegularOutput';
	const [answer] = await callAsTool(service, { nodeName: 'getResult', parameters, onError });
	expect(JSON.parse(JSON.parse(answer) as string)).toEqual([
		{
			editId: 'bad',
			failure: {
				message: expect.stringMatching(MESSAGE),
				description: expect.stringContaining('create a new edit'),
			},
		},
	]);
});

it('a failed item carries what is known of it beside its error', () => {
	const error = new NodeOperationError(NODE, 'no', { itemIndex: 3 });
	expect(failedItem(error, 3, { editId: 'a' })).toEqual({
		json: { editId: 'a', failure: expect.objectContaining({ message: 'no' }) as object },
		error,
		pairedItem: { item: 3 },
	});
});
