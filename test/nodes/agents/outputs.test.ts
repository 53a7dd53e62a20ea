import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import { inLines, listed } from '../../../nodes/core/texts';
import { isToolUse } from '../../../nodes/core/run/nodeRun';
import { NODE, nodeContext } from '../../../testkit/n8n/nodeContext';
import { runEachItem } from '../../../testkit/n8n/runWork';

const contextOf = (type: string, more: Partial<IExecuteFunctions> = {}) =>
	nodeContext({ getNode: () => ({ ...NODE, type }), ...more });

const TOOL = contextOf('n8n-nodes-audio-editing.uploadTool');

const errorOf = (message: string, description?: string) =>
	new NodeOperationError(NODE, message, { description });

describe('an agent runs the node', () => {
	it.each<[string, IExecuteFunctions, boolean]>([
		['by its type', TOOL, true],
		['as agents before version 3 run it', contextOf('x', { isToolExecution: () => true }), true],
		['not by its type', contextOf('n8n-nodes-audio-editing.upload'), false],
		['not by a type with Tool in it', contextOf('x.ToolBox'), false],
		["not if n8n's own check says no", contextOf('x', { isToolExecution: () => false }), false],
	])('%s', (_title, context, expected) => {
		expect(isToolUse(context)).toBe(expected);
	});
});

describe('the outputs of a node', () => {
	const made: INodeExecutionData[] = [
		{
			json: { text: 'word '.repeat(20_000) },
			binary: { data: { data: '', mimeType: 'audio/wav' } },
			pairedItem: { item: 0 },
		},
	];

	it('stay as they are for a workflow', async () => {
		expect(await runEachItem(contextOf('x'), async () => made)).toEqual(made);
	});

	it('are cut for an agent, without files', async () => {
		const items = await runEachItem(TOOL, async () => made);
		expect(Object.keys(items[0]).sort()).toEqual(['json', 'pairedItem']);
		expect(items[0].pairedItem).toEqual({ item: 0 });
		expect(String(items[0].json.text).length).toBeLessThan(10_000);
		expect(String(items[0].json.text)).toMatch(/^word word/);
	});

	it('are a part of many items for an agent, and a note that is paired with the first left out', async () => {
		const many = Array.from({ length: 60 }, (_, item) => ({
			json: { item },
			pairedItem: { item },
		}));
		const items = many.map(({ json }) => ({ json }));
		const context = contextOf('x.uploadTool', { getInputData: () => items });
		const short = await runEachItem(context, async (itemIndex) => [many[itemIndex]]);
		expect(short).toHaveLength(51);
		expect(short.map(({ pairedItem }) => pairedItem)).toEqual(
			many.slice(0, 51).map(({ pairedItem }) => pairedItem),
		);
		expect(short[50].json).toEqual({ note: expect.stringContaining('60 entries') });
	});

	it('carry the errors of items in full for an agent', async () => {
		const error = errorOf('It failed.', 'Do this.');
		const [item] = await runEachItem(TOOL, async () => [{ json: {}, error }]);
		expect(item.error?.message).toBe('It failed. Do this.');
	});
});

describe('a list of failed items for an agent', () => {
	const answersFor = async (count: number) => {
		const items = Array.from({ length: count }, () => ({ json: {}, error: errorOf('It failed') }));
		return await runEachItem(TOOL, async () => items);
	};

	it('carries the error of each item', async () => {
		const answers = await answersFor(3);
		expect(answers.map(({ error }) => error?.message)).toEqual(Array(3).fill('It failed'));
	});

	it('ends with a note, which is not a failed item, if it is cut', async () => {
		const answers = await answersFor(60);
		expect(answers.slice(0, -1).every(({ error }) => error?.message === 'It failed')).toBe(true);
		expect(answers).toHaveLength(51);
		expect(answers.at(-1)?.json).toEqual({ note: '… (cut; 60 entries in all)' });
		expect(answers.at(-1)).not.toHaveProperty('error');
	});
});

describe('the error of a node', () => {
	const thrown = async (context: IExecuteFunctions, error: Error) =>
		await runEachItem(context, async () => {
			throw error;
		}).catch((caught: unknown) => (caught as Error).message);

	it.each([
		['It failed', 'Do this.', 'It failed. Do this.'],
		['It failed: Do this.', 'Do this.', 'It failed: Do this.'],
		['It. failed', 'Do this.', 'It. failed. Do this.'],
		['It. failed', undefined, 'It. failed'],
	])('%j, %j reads for an agent: %j', async (message, description, said) => {
		expect(await thrown(TOOL, errorOf(message, description))).toBe(said);
	});

	it('gets its description once, also if it is thrown again', async () => {
		const error = errorOf('It failed.', 'Do this.');
		for (let time = 0; time < 2; time++)
			expect(await thrown(TOOL, error)).toBe('It failed. Do this.');
	});

	it('stays the same for a workflow', async () => {
		expect(await thrown(contextOf('x'), errorOf('It failed', 'Do this.'))).toBe('It failed');
	});

	it('is an n8n error for an agent, whatever was thrown', async () => {
		expect(await thrown(TOOL, new TypeError('broken'))).toBe('broken');
	});
});

it.each([
	[['a', 'b'], 2, 'a, b'],
	[['a', 'b', 'c', 'd'], 2, 'a, b and 2 more'],
	[['a'], 2, 'a'],
])('%j is listed with at most %d names as %j', (entries, most, text) => {
	expect(listed(entries, most)).toBe(text);
});

it('names every entry, 100 in a line', () => {
	const names = (count: number) => Array.from({ length: count }, (_name, index) => `n${index}`);
	expect(inLines([])).toEqual([]);
	expect(inLines(names(100))).toEqual([names(100).join(', ')]);
	expect(inLines(names(101))).toEqual([names(100).join(', '), 'n100']);
});
