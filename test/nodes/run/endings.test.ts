import { Outcomes } from '../../../nodes/core/items/outcomes';
import { NodeRun } from '../../../nodes/core/run/nodeRun';
import { toNodeError } from '../../../nodes/core/errors/errors';
import { NODE, nodeContext } from '../../../testkit/n8n/nodeContext';

/** A failure of the item itself, or one because another item has ended the node. */
const failureOf = (itemIndex: number, kind: 'status' | 'stopped') =>
	toNodeError(
		NODE,
		{ kind, request: 'GET /x', status: kind === 'status' ? 422 : undefined },
		{
			itemIndex,
			doing: 'read it',
		},
	);

describe('of several failed items, the one that ends the node', () => {
	it.each<[string, Array<'status' | 'stopped'>, number]>([
		['is the first that failed by itself', ['status', 'status'], 0],
		['is no later one that stopped because of it', ['status', 'stopped'], 0],
		['is a later one, if the others stopped because of it', ['stopped', 'stopped', 'status'], 2],
		['is the first, if all were stopped', ['stopped', 'stopped'], 0],
	])('%s', (_title, kinds, ending) => {
		const items = kinds.map((_kind, n) => ({ json: { n } }));
		const outcomes = new Outcomes(new NodeRun(nodeContext({}, items)));
		for (const [index, kind] of kinds.entries()) outcomes.failed([index], failureOf(index, kind));
		expect(outcomes.isOver).toBe(true);
		const message = expect.stringContaining(`[item ${ending}]`);
		expect(outcomes.ending).toEqual({ itemIndex: ending, message });
		const note = { text: 'The others.', details: [] };
		expect(() => outcomes.assertGoesOn(note)).toThrow(`[item ${ending}]`);
	});
});

it('after the failure that ends the node, no more items are read', async () => {
	const items = [0, 1, 2].map((n) => ({ json: { n } }));
	const outcomes = new Outcomes(new NodeRun(nodeContext({}, items)));
	const read: number[] = [];
	for await (const [index] of outcomes.itemsToRead()) {
		read.push(index);
		if (index === 1) outcomes.failed([index], failureOf(index, 'status'));
	}
	expect(read).toEqual([0, 1]);
});
