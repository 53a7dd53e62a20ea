import { type INodeExecutionData, NodeOperationError } from 'n8n-workflow';
import { carriedCause } from '../../../nodes/core/items/carriedFailure';
import { readItemForm } from '../../../nodes/core/items/readItemForm';
import { fieldError } from '../../../nodes/core/form/fieldError';
import { asItemError } from '../../../nodes/core/items/failedItems';
import { failureOf } from '../../../testkit/n8n/failures';
import { itemsOf, storeFile } from '../../../testkit/n8n/n8nEngine';
import { NODE, runOf } from '../../../testkit/n8n/nodeContext';
import { fileItem } from '../../../testkit/service/recordingService';
import { useService } from '../../../testkit/service/useService';
import { chain, type NodeSpec, runChain } from '../../../testkit/n8n/workflows';

const service = useService();

const TYPES = ['upload', 'createEdit', 'waitForEdit', 'getResult', 'delete', 'account'];

const PARAMETERS: Record<string, NodeSpec['parameters']> = {
	getResult: { download: [] },
	account: { resource: 'account', operation: 'getCredit' },
};

function node(type: string, more: Partial<NodeSpec> = {}): NodeSpec {
	const { settings, parameters } = more;
	return {
		type,
		parameters: { ...PARAMETERS[type], ...parameters },
		settings: { onError: 'continueRegularOutput', ...settings },
	};
}

const emptyItem = async (): Promise<INodeExecutionData> => ({
	json: {},
	binary: { data: await storeFile(Buffer.of(), 'empty.wav', 'audio/wav') },
});

/** The text on a regular output. */
const EMPTY_AND_ADVICE =
	'empty.wav is empty [item 0]. Nothing was sent. Check the node that created the file.';

describe('in a chain', () => {
	it('the first cause stays to the end while the other items are edited', async () => {
		const types = ['upload', 'createEdit', 'waitForEdit', 'getResult', 'delete'];
		const items = [await emptyItem(), await fileItem('talk.wav')];
		const run = await runChain(service, chain(...types.map((type) => node(type))), items);
		for (const type of types) {
			const [failed, good] = itemsOf(run, type);
			expect(failed.json).toEqual({ error: EMPTY_AND_ADVICE });
			expect(failed.pairedItem).toEqual({ item: 0 });
			expect(failureOf(good)).toBeUndefined();
		}
	});

	it('a node that does not continue ends with the first cause, before anything is sent', async () => {
		const items = [await fileItem('talk.wav'), await emptyItem()];
		const settings = { onError: 'stopWorkflow' } as const;
		const specs = [node('upload'), node('createEdit', { settings })];
		const run = await runChain(service, chain(...specs), items);
		expect(run.data.resultData.error).toMatchObject({
			message: expect.stringMatching(/^empty\.wav is empty \[item 1\]$/),
		});
		expect(service.seen.filter(({ path }) => path === '/v2/edits')).toEqual([]);
	});
});

describe('an item with the failure of an error output', () => {
	const failure = {
		message: 'It failed before [item 7]',
		description: 'Do this.',
		httpCode: '409',
	};
	const items = [{ json: { editId: 'edit-1', fileUrl: 'https://a.example/a.wav', failure } }];
	const settings = { onError: 'continueErrorOutput' } as const;

	it.each(TYPES)('passes unchanged through %s, which makes no request', async (type) => {
		const run = await runChain(service, chain(node(type, { settings })), items);
		expect(itemsOf(run, type, 0)).toEqual([]);
		expect(itemsOf(run, type, 1)).toEqual([{ json: items[0].json, pairedItem: { item: 0 } }]);
		expect(service.seen).toEqual([]);
	});

	it('passes unchanged through Wait For Edit when it has a second output', async () => {
		const parameters = { advanced: { whenTimeIsUp: 'secondOutput' } };
		const run = await runChain(
			service,
			chain(node('waitForEdit', { settings, parameters })),
			items,
		);
		expect(itemsOf(run, 'waitForEdit', 2).map(({ json }) => json)).toEqual([items[0].json]);
	});

	it('ends a recording that has it as a track, with nothing charged', async () => {
		const tracks = [{ json: { fileUrl: 'https://a.example/b.wav' } }, ...items];
		const spec = node('createEdit', { settings, parameters: { itemsAre: 'tracks' } });
		const run = await runChain(service, chain(spec), tracks);
		expect(itemsOf(run, 'createEdit', 1).map(failureOf)).toEqual([failure]);
		expect(service.seen).toEqual([]);
	});
});

describe('an item is processed', () => {
	it.each<[string, object]>([
		['whose failure is not ours', { failure: { message: 'no', code: 5 } }],
		['whose failure names no item', { failure: { message: 'none' } }],
		['whose failure is a string', { failure: 'no [item 0]' }],
		['whose error comes with other fields', { error: 'no [item 0]', title: 'Talk' }],
		['whose error does not come from our nodes', { error: 'no [item 0]' }],
	])('%s', async (_title, json) => {
		const parameters = { editId: 'edit-1' };
		const items = [{ json: { ...json } }];
		const workflow = chain(node('delete', { parameters }));
		workflow.nodes[0].type = 'n8n-nodes-base.code';
		const run = await runChain(service, workflow, items);
		expect(itemsOf(run, 'delete')[0].json).toEqual({ deleted: true, editId: 'edit-1' });
	});
});

describe('the failure that an item carries is the cause of its failure now', () => {
	const OURS = { failure: { message: 'no [item 0]' } };
	const TEXT = { error: 'no [item 0]' };
	const TOOL = { getNode: () => ({ ...NODE, type: `${NODE.type}Tool` }) };
	const ELSEWHERE = { getParentNodes: () => [{ ...NODE, type: 'n8n-nodes-base.set' }] };
	const NOWHERE = { getParentNodes: () => [] };

	/** What an item with this json carries, if a field of it is now empty. */
	function carried(json: object, more: object = {}, itemIndex = 0, error?: object) {
		const context = { getParentNodes: () => [{ ...NODE, disabled: false }], ...more };
		const items = [{ json: { ...json }, ...(error && { error: error as NodeOperationError }) }];
		const run = runOf(context, items);
		return carriedCause(run, itemIndex, fieldError(run, itemIndex, 'It is empty', 'Enter it.'));
	}

	it.each<[object, object?, number?]>([
		[{}],
		[OURS, TOOL],
		[OURS, {}, 1],
		[TEXT, TOOL],
		[TEXT, ELSEWHERE],
		[TEXT, NOWHERE],
		[{ ...TEXT, title: 'Talk' }],
		[{ error: 'no [item 0]x' }],
		[{ error: 'no [item 0]. ' }],
		[{ error: 5 }],
	])('but not of %j %j', (...[json, more, itemIndex]) => {
		expect(carried(json, more, itemIndex)).toBeUndefined();
	});

	it.each([OURS, TEXT, { error: 'no [item 0]. Do this.' }])('as of %j', (json) => {
		expect(carried(json)?.message).toBe('no [item 0]');
	});

	it('keeps the status of the error beside a text, if it has one', () => {
		expect(carried(TEXT, {}, 0, { httpCode: '403' })).toMatchObject({ httpCode: '403' });
		expect(carried(TEXT, {}, 0, { description: 'Do.' })).toMatchObject({ description: 'Do.' });
		expect(carried(TEXT, {}, 0, {})).not.toHaveProperty('httpCode');
	});

	it('and of nothing else than that cause or an empty field', () => {
		const run = runOf({}, [{ json: OURS }]);
		expect(carriedCause(run, 0, new Error('no'))).toBeUndefined();
		expect(carriedCause(run, 0, 'no')).toBeUndefined();
		const own = carriedCause(run, 0, fieldError(run, 0, 'It is empty', 'Enter it.'));
		expect(carriedCause(run, 0, own)?.message).toBe('no [item 0]');
	});
});

describe('an item of a regular output', () => {
	/** The error with which a node after ours refuses it. */
	function refusalOf(text: string, more: object = {}): Error | undefined {
		const error = { name: 'NodeOperationError', message: text, ...more } as NodeOperationError;
		const items = [{ json: { error: text }, error }];
		const parent = { name: 'b', type: NODE.type, typeVersion: 1, disabled: false };
		const run = runOf({ getParentNodes: () => [parent] }, items);
		try {
			readItemForm(run, [], [0]);
			return undefined;
		} catch (refusal) {
			return refusal as Error;
		}
	}

	it('keeps the advice and the details that only its error has', () => {
		const more = {
			description: 'Look for edit-77',
			messages: ['POST /v2/edits', 'id\u0000 edit-77'],
		};
		expect(refusalOf('Could not create the edit: x [item 0]', more)).toMatchObject({
			message: 'Could not create the edit: x [item 0]',
			description: 'Look for edit-77',
			messages: ['POST /v2/edits', 'id edit-77'],
		});
	});

	it('is not cut in the name of its recording', () => {
		const run = runOf({}, [{ json: { sourceFileName: 'Talk [item 3]. final.wav' } }]);
		const thrown = new NodeOperationError(NODE, 'It failed [item 0]', { itemIndex: 0 });
		const { message } = asItemError(run, thrown, 0);
		expect(message).toBe('Talk (item 3). final.wav: it failed [item 0]');
		expect(refusalOf(`${message}. Do this.`)).toMatchObject({ message, description: 'Do this.' });
	});
});
