import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeParameters,
} from 'n8n-workflow';

import type { Form } from '../../nodes/core/form/values';
import { NodeRun } from '../../nodes/core/run/nodeRun';

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
	const kept = { flow: {}, node: {} };
	const context: Partial<IExecuteFunctions> = {
		getContext: (type) => kept[type as keyof typeof kept],
		getChildNodes: () => [],
		getParentNodes: () => [],
		getNode: () => NODE,
		getWorkflow: () => ({ id: '', name: 'A Workflow', active: true }),
		helpers: {} as IExecuteFunctions['helpers'],
		getExecutionId: () => '7',
		getMode: () => 'trigger',
		getInputData: () => items,
		continueOnFail: () => false,
		getExecutionCancelSignal: () => undefined,
		getExecutionContext: () => undefined,
		getWorkflowDataProxy: () => ({}) as ReturnType<IExecuteFunctions['getWorkflowDataProxy']>,
		addExecutionHints: () => undefined,
		sendMessageToUI: () => undefined,
		...more,
	};
	return context as IExecuteFunctions;
}

/** Returns a run of a node in such a context. */
export function runOf(...given: Parameters<typeof nodeContext>): NodeRun {
	return new NodeRun(nodeContext(...given));
}

/**
 * Returns a context with these values in the fields of its form, by field name; options need no group. A
 * function returns the value for an item.
 */
export function withFields(fields: Readonly<Record<string, unknown>>) {
	const getNodeParameter = (name: string, itemIndex: number, fallback?: unknown) => {
		if (name in fields) return valueFor(itemIndex, fields[name]);
		const [group, option] = name.split('.');
		const options = { ...fields, ...(fields[group] as IDataObject | undefined) };
		const value = valueFor(itemIndex, options[option]);
		return value === undefined ? fallback : value;
	};
	return {
		getNode: () => ({ ...NODE, parameters: fields as INodeParameters }),
		getNodeParameter: getNodeParameter as IExecuteFunctions['getNodeParameter'],
	};
}

function valueFor(itemIndex: number, value: unknown): unknown {
	return typeof value === 'function' ? (value as (itemIndex: number) => unknown)(itemIndex) : value;
}

/** Returns the form of the first item with these values. */
export function formOf(options: Form['options'], fields: Form['fields'] = {}): Form {
	return { itemIndex: 0, fields, options };
}
