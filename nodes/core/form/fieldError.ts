import type { INode, NodeOperationError } from 'n8n-workflow';

import { withoutQueries } from '../../../api/sanitizeText';
import { operationError } from '../errors/errors';

/**
 * An error about the value of a field, before anything was sent to the service. Links in it lose their secrets.
 *
 * @param itemIndex undefined in a trigger
 */
export function fieldError(
	{ node }: { readonly node: INode },
	itemIndex: number | undefined,
	message: string,
	advice: string,
): NodeOperationError {
	const said = withoutQueries(message);
	const error =
		itemIndex === undefined
			? operationError(node, said, { description: advice })
			: operationError(node, `${said} [item ${itemIndex}]`, {
					itemIndex,
					description: `Nothing was sent. ${advice}`,
				});
	fieldErrors.add(error);
	return error;
}

const fieldErrors = new WeakSet<Error>();

/** Whether an error is about the value of a field. */
export function isFieldError(error: unknown): boolean {
	return error instanceof Error && fieldErrors.has(error);
}
