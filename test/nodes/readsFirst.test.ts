import type { INodeExecutionData } from 'n8n-workflow';

import { useService } from '../support/useService';
import { type NodeSpec, chain, runChain } from '../support/workflows';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

/** Fields that a mistake in the second item makes unreadable. */
const NODES: NodeSpec[] = [
	{ type: 'delete', parameters: { editId: '={{ $json.id }}' } },
	{ type: 'getResult', parameters: { editId: '={{ $json.id }}', download: [] } },
];

const ITEMS: INodeExecutionData[] = [{ json: { id: 'a' } }, { json: { id: 'b/c' } }];

const service = useService(() => ({ body: { task_id: 'a', status: 'SUCCESS' } }));

describe.each(NODES)('$type with a mistake in the second item', (node) => {
	it('sends nothing if it ends on errors', async () => {
		const { data } = await runChain(service, chain(node), ITEMS);
		expect(data.resultData.error?.message).toMatch(
			/'Edit ID' (is empty|contains characters).*\[item 1\]/,
		);
		expect(service.seen).toHaveLength(0);
	});

	it('handles the first item if it continues on errors', async () => {
		const settings = { onError: 'continueRegularOutput' } as const;
		await runChain(service, chain({ ...node, settings }), ITEMS);
		expect(service.seen.map(({ path }) => path)).toContain('/v2/edits/a');
	});
});
