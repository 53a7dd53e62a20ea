import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { NodeRun } from '../../../nodes/core/run/nodeRun';
import { Outcomes } from '../../../nodes/core/items/outcomes';
import { itemsOf } from '../../../testkit/n8n/n8nEngine';
import { nodeContext } from '../../../testkit/n8n/nodeContext';
import { runOne, useService } from '../../../testkit/service/useService';

const service = useService();

const items = (count: number): INodeExecutionData[] =>
	Array.from({ length: count }, (_, n) => ({ json: { n, fileUrl: `https://a.example/${n}.wav` } }));

describe('a form that cannot be read', () => {
	it('fails all items that are handled together', async () => {
		const parameters: INodeParameters = {
			itemsAre: 'tracks',
			cuts: { fillers: '={{ "maybe" }}' },
		};
		const settings = { onError: 'continueErrorOutput' } as const;
		const { run } = await runOne(service, 'createEdit', parameters, items(2), { settings });
		const failed = itemsOf(run, 'createEdit', 1);
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([[{ item: 0 }, { item: 1 }]]);
		expect(service.seen).toEqual([]);
	});

	it('is no summary if nothing was begun', () => {
		const hints: unknown[] = [];
		const addExecutionHints = (...given: unknown[]) => void hints.push(...given);
		const continueOnFail = () => true;
		const run = new NodeRun(nodeContext({ continueOnFail, addExecutionHints }, items(3)));
		const outcomes = new Outcomes(run, { progress: ['edited', 'recordings'], sumsUp: true });
		expect(outcomes.ofAll(new Error('no'))[0]).toHaveLength(3);
		outcomes.show();
		expect(hints).toEqual([]);
	});
});
