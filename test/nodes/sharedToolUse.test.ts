import { type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import { isToolUse } from '../../nodes/shared/run/nodeRun';
import { runWork } from '../support/runWork';
import { NODE, nodeContext } from '../support/nodeContext';

const TOOL = { getNode: () => ({ ...NODE, type: `${NODE.type}Tool` }) };

const error = new NodeOperationError(NODE, 'It failed.', { description: 'Try again' });

const items = Array.from({ length: 51 }, (_item, item): INodeExecutionData => {
	return { json: { item }, pairedItem: { item: 0 }, ...(item === 50 && { error }) };
});

it('recognises a tool by its type, or because n8n says so', () => {
	expect(isToolUse(nodeContext(TOOL))).toBe(true);
	expect(isToolUse(nodeContext({ isToolExecution: () => true }))).toBe(true);
	expect(isToolUse(nodeContext({ isToolExecution: () => false }))).toBe(false);
	expect(isToolUse(nodeContext({}))).toBe(false);
});

it('leaves the outputs of a node unchanged if it is not a tool', async () => {
	const outputs = [items];
	expect(await runWork(nodeContext({}), async () => outputs)).toEqual(outputs);
});

it('replaces the items it leaves out with a note that carries no error', async () => {
	const [answers] = await runWork(nodeContext(TOOL), async () => [items]);
	expect(answers.slice(0, -1)).toEqual(items.slice(0, 50));
	expect(answers.at(-1)).toEqual({
		json: { note: '… (cut; 51 entries in all)' },
		pairedItem: { item: 0 },
	});
});

it('adds the description to the message of an error, once', async () => {
	const fail = async () => await Promise.reject(error);
	for (let time = 0; time < 2; time++) {
		await expect(runWork(nodeContext(TOOL), fail)).rejects.toThrow(/^It failed\. Try again$/);
	}
});
