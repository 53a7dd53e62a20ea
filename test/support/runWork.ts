import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type NodeWork, runNode } from '../../nodes/shared/runNode';

/** Runs work on all items at once, as Wait For Edit does. */
export async function runWork(
	context: IExecuteFunctions,
	work: () => Promise<INodeExecutionData[][]>,
): Promise<INodeExecutionData[][]> {
	return await runNode(context, { groups: 'whole', read: () => undefined, handle: work });
}

/** Runs work on each item, as most nodes do, and returns the items of the first output. */
export async function runEachItem(
	context: IExecuteFunctions,
	handle: (itemIndex: number) => Promise<INodeExecutionData[]>,
	more: Partial<NodeWork<number>> = {},
): Promise<INodeExecutionData[]> {
	const [made] = await runNode<number>(context, {
		read: (_context, [itemIndex]) => itemIndex,
		handle: async (_context, itemIndex) => [await handle(itemIndex)],
		...more,
	});
	return made;
}
