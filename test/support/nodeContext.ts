import type { IExecuteFunctions, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

/** A node in a workflow. */
export const NODE: INode = {
	id: '1',
	name: 'A Node',
	type: 'n8n-nodes-audio-editing.test',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** Returns a context with what a function under test needs, for functions that need no engine. */
export function nodeContext(
	more: Partial<IExecuteFunctions>,
	items: INodeExecutionData[] = [{ json: {} }],
): IExecuteFunctions {
	const context: Partial<IExecuteFunctions> = {
		getNode: () => NODE,
		getExecutionId: () => '7',
		getMode: () => 'trigger',
		getInputData: () => items,
		continueOnFail: () => false,
		getExecutionCancelSignal: () => undefined,
		...more,
	};
	return context as IExecuteFunctions;
}

/** Returns a context with these values in the fields of its form, by field name. */
export function withFields(fields: Readonly<Record<string, unknown>>) {
	const getNodeParameter = (name: string, _itemIndex: number, fallback?: unknown) =>
		name in fields ? fields[name] : fallback;
	return {
		getNode: () => ({ ...NODE, parameters: fields as INodeParameters }),
		getNodeParameter: getNodeParameter as IExecuteFunctions['getNodeParameter'],
	};
}
