import type {
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { shortened } from '../../formats/shortened';
import { asNodeError } from './failedItems';
import { isToolUse } from './isToolUse';

/**
 * Runs `work` and returns its outputs. For an agent, long outputs are cut and files left out, which n8n
 * would drop. An error's message then includes its description: n8n passes only the message to the model.
 */
export async function answering(
	context: IExecuteFunctions,
	work: () => Promise<INodeExecutionData[][]>,
): Promise<INodeExecutionData[][]> {
	if (!isToolUse(context)) return await work();
	try {
		return (await work()).map(forAgent);
	} catch (error) {
		throw inFull(asNodeError(context.getNode(), error, 0));
	}
}

function forAgent(items: readonly INodeExecutionData[]): INodeExecutionData[] {
	const short = shortened(items.map(({ json }) => json));
	const answers = short.items.map((json, index): INodeExecutionData => {
		const { error, pairedItem } = items[index];
		return { json, pairedItem, ...(error && { error: inFull(error) }) };
	});
	if (short.note === undefined) return answers;
	const { pairedItem } = items[answers.length];
	return [...answers, { json: { note: short.note }, pairedItem }];
}

function inFull(error: NodeApiError | NodeOperationError): NodeApiError | NodeOperationError {
	const { description, message } = error;
	if (description && !message.includes(description)) {
		error.message = `${message.replace(/\.$/, '')}. ${description}`;
	}
	return error;
}
