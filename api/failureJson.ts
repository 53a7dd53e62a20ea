import { type IDataObject, type INode, NodeApiError, type NodeOperationError } from 'n8n-workflow';

import { errorWith } from './errors';

/** What {@link failureJson} writes of an error. */
interface WrittenFailure {
	readonly message: string;
	readonly description?: string;
	readonly httpCode?: string;
}

const KEYS: ReadonlySet<string> = new Set(['message', 'description', 'httpCode']);

/** What an item carries in its json when it failed and the workflow goes on. */
export function failureJson(error: NodeApiError | NodeOperationError): IDataObject {
	const httpCode = error instanceof NodeApiError ? error.httpCode : null;
	return {
		message: error.message,
		...(error.description && { description: error.description }),
		...(httpCode && { httpCode }),
	};
}

/** Whether a value of an item's json is what {@link failureJson} writes. */
export function isFailureJson(value: unknown): value is WrittenFailure {
	if (typeof value !== 'object' || value === null || !('message' in value)) return false;
	const isOurs = ([key, text]: [string, unknown]) => KEYS.has(key) && typeof text === 'string';
	return Object.entries(value).every(isOurs);
}

/** The error that {@link failureJson} was written of, as an error of this node and item. */
export function errorFromJson(
	node: INode,
	{ message, description, httpCode }: WrittenFailure,
	itemIndex: number,
): NodeApiError | NodeOperationError {
	return errorWith(node, message, { description, itemIndex }, httpCode);
}
