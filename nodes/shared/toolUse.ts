import type {
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { shortened } from '../../formats/shortened';
import { asNodeError } from './items';

/**
 * Whether an agent runs the node. n8n ends the type of each tool that it makes of a node with 'Tool'.
 * AI Agents from version 3 on run tools like any other node, and `isToolExecution()` is false there.
 */
export function isToolUse(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool') || context.isToolExecution?.() === true;
}

/**
 * The outputs of a node's `work`. For an agent they are cut and carry no files, which n8n drops, and
 * the message of an error holds its description, too: n8n passes nothing else on to the model.
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
	const answers = shortened(items.map(({ json }) => json));
	return answers.map((json, index) => {
		const { error, pairedItem } = items[index];
		// The last of a cut list is the note that it was cut.
		const isNote = index === answers.length - 1 && answers.length < items.length;
		return { json, pairedItem, ...(error && !isNote && { error: inFull(error) }) };
	});
}

function inFull(error: NodeApiError | NodeOperationError): NodeApiError | NodeOperationError {
	const { description, message } = error;
	if (description && !message.includes(description)) {
		error.message = `${message.replace(/\.$/, '')}. ${description}`;
	}
	return error;
}
