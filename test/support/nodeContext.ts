import type { IExecuteFunctions, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

/** A node as it stands in a workflow. */
export const NODE: INode = {
	id: '1',
	name: 'A Node',
	type: 'n8n-nodes-audio-editing.test',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** A context with what a function under test asks of it, for functions that need no engine. */
export function nodeContext(
	more: Partial<IExecuteFunctions>,
	items: INodeExecutionData[] = [{ json: {} }],
): IExecuteFunctions {
	const context: Partial<IExecuteFunctions> = {
		getNode: () => NODE,
		getExecutionId: () => '7',
		getInputData: () => items,
		continueOnFail: () => false,
		getExecutionCancelSignal: () => undefined,
		...more,
	};
	return context as IExecuteFunctions;
}

/** What stands in the fields of a form, by the name of the field. */
export function withFields(fields: Readonly<Record<string, unknown>>) {
	const getNodeParameter = (name: string, _itemIndex: number, fallback?: unknown) =>
		name in fields ? fields[name] : fallback;
	return {
		getNode: () => ({ ...NODE, parameters: fields as INodeParameters }),
		getNodeParameter: getNodeParameter as IExecuteFunctions['getNodeParameter'],
	};
}
