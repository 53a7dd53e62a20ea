import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { NodeRun } from '../../../nodes/core/run/nodeRun';
import { Outcomes } from '../../../nodes/core/run/outcomes';
import { readForms } from '../../../nodes/core/run/readForms';
import { nodeContext } from '../../../testkit/n8n/nodeContext';

const items = (count: number): INodeExecutionData[] =>
	Array.from({ length: count }, (_, n) => ({ json: { n } }));

const CONTINUE = { continueOnFail: () => true };

describe('a form that cannot be read', () => {
	const options: INodeProperties = {
		displayName: 'On',
		name: 'on',
		type: 'boolean',
		default: true,
	};

	it('fails all items that are handled together', async () => {
		const getNodeParameter = () => 'maybe';
		const context = nodeContext(
			{ ...CONTINUE, getNodeParameter: getNodeParameter as never },
			items(3),
		);
		const run = new NodeRun(context);
		const outcomes = new Outcomes(run);
		const groups = [[0, 1], [2]];
		for await (const form of readForms(run, outcomes, [options], { groups })) {
			throw new Error(`${form.itemIndex} was read`);
		}
		const [failed] = outcomes.outputs();
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([
			[{ item: 0 }, { item: 1 }],
			{ item: 2 },
		]);
	});

	it('is no summary if nothing was begun', () => {
		const hints: unknown[] = [];
		const addExecutionHints = (...given: unknown[]) => void hints.push(...given);
		const run = new NodeRun(nodeContext({ ...CONTINUE, addExecutionHints }, items(3)));
		const outcomes = new Outcomes(run, { progress: ['edited', 'recordings'], sumsUp: true });
		expect(outcomes.ofAll(new Error('no'))[0]).toHaveLength(3);
		outcomes.show();
		expect(hints).toEqual([]);
	});
});
