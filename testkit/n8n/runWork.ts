import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type NodeWork, runNode } from '../../nodes/core/run/runNode';

/** Runs work on each item, as the nodes do. */
export async function runWork(
	context: IExecuteFunctions,
	handle: (itemIndex: number) => Promise<INodeExecutionData[][]>,
	more: Partial<NodeWork<number>> = {},
): Promise<INodeExecutionData[][]> {
	return await runNode<number>(context, [], () => ({
		read: ([itemIndex]) => itemIndex,
		handle,
		...more,
	}));
}

/** The same for nodes with one output. */
export async function runEachItem(
	context: IExecuteFunctions,
	handle: (itemIndex: number) => Promise<INodeExecutionData[]>,
	more: Partial<NodeWork<number>> = {},
): Promise<INodeExecutionData[]> {
	const [made] = await runWork(context, async (itemIndex) => [await handle(itemIndex)], more);
	return made;
}
