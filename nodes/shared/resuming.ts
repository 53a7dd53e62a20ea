import type { IExecuteFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { failureBehind } from '../../api/errors';
import { isRefusedKey } from './failFast';
import { isToolUse } from './isToolUse';

/** What a retry repeats where the node only reads. */
export const RETRY_READS_AGAIN = 'Nothing is charged again.';

/**
 * The error that ends a node with several items, with how to get the other items' results. A failure
 * that every item meets, such as a refused key, has to be mended instead.
 *
 * @param onRetry what a retry repeats and what it costs, a sentence
 */
export function withWayToResume<NodeError extends NodeApiError | NodeOperationError>(
	context: IExecuteFunctions,
	error: NodeError,
	onRetry: string,
): NodeError {
	const isStopped = context.getExecutionCancelSignal()?.aborted === true;
	if (context.getInputData().length < 2 || isStopped || isToolUse(context)) return error;
	const failure = failureBehind(error);
	if (failure !== undefined && (isRefusedKey(failure) || failure.kind === 'unreachable')) {
		return error;
	}
	const way = `To get the results of the other items: set On Error of this node to 'Continue (using error output)', save the workflow, and retry this execution under Executions with the currently saved workflow; n8n goes on from this node. ${onRetry}`;
	error.description = [error.description, way].filter(Boolean).join(' ');
	return error;
}
