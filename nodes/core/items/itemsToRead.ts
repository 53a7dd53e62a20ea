import type { INodeProperties } from 'n8n-workflow';

import { Pauses } from '../../../api/pauses';
import { refuseFailed } from './carriedFailure';
import { readForm } from '../form/readForm';
import type { Form } from '../form/values';
import type { NodeRun } from '../run/nodeRun';
import type { Outcomes } from './outcomes';

/**
 * Goes through the items whose forms are to be read, with pauses in which n8n does its other work. Ends early when
 * a failure has ended the node.
 *
 * @param groups the items that are handled together; each by itself if missing
 */
export async function* itemsToRead(
	run: NodeRun,
	outcomes: Outcomes<string>,
	groups: ReadonlyArray<readonly number[]> = run.items.map((_item, index) => [index]),
): AsyncGenerator<readonly number[]> {
	outcomes.begin(groups.length);
	const pauses = new Pauses();
	for (const itemIndices of groups) {
		yield itemIndices;
		if (outcomes.isOver) return;
		await pauses.mayPause();
	}
}

/**
 * Reads the form of items that are handled together, which is that of the first.
 *
 * @throws NodeOperationError if it cannot be read, or one of the items failed in a node of ours before
 */
export function readItemForm(
	run: NodeRun,
	properties: readonly INodeProperties[],
	itemIndices: readonly number[],
): Form {
	for (const index of itemIndices) refuseFailed(run, index);
	return readForm(run.context, properties, itemIndices[0], run.isTool, 'item');
}
