import type { INodeProperties } from 'n8n-workflow';

import { carriedError } from './carriedFailure';
import { readForm } from '../form/readForm';
import type { Form } from '../form/values';
import type { NodeRun } from '../run/nodeRun';

/**
 * Reads the form of items that are handled together, which is that of the first. An item that failed in a node of
 * ours before leaves with its first cause.
 *
 * @throws NodeOperationError if it cannot be read, or one of the items has failed before
 */
export function readItemForm(
	run: NodeRun,
	properties: readonly INodeProperties[],
	itemIndices: readonly number[],
): Form {
	for (const index of itemIndices) {
		const carried = carriedError(run, index);
		if (carried !== undefined) throw carried;
	}
	return readForm(run.context, properties, itemIndices[0], run.isTool, 'item');
}
