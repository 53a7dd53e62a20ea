import type { NodeError } from '../shared/errors/errors';
import { asNodeError } from '../shared/errors/failedItems';
import type { NodeRun } from '../shared/run/nodeRun';

/**
 * Adds to the failure of a charged edit how to get its result. The advice that this node shares with
 * Wait For Edit and Get Result is to run them again, which is charged again here.
 */
export function withEditKept(
	run: NodeRun,
	itemIndex: number,
	editId: string,
	failure: unknown,
): NodeError {
	const error = asNodeError(run.node, failure, itemIndex);
	const way = `Edit ${editId} is charged. A new execution may create another one, which is charged again. To get the result of this edit, give its ID to a Get Result node within 7 days.`;
	error.description = [error.description, way].filter(Boolean).join(' ');
	return error;
}
