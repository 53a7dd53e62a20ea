import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { testNode } from './engineNodeTypes';

const passOn = (context: IExecuteFunctions) => context.getInputData();

/** Edit Fields: outputs only the assigned fields. */
function setFields(context: IExecuteFunctions): INodeExecutionData[] {
	return context.getInputData().map((_item, itemIndex) => {
		const { assignments } = context.getNodeParameter('assignments', itemIndex) as {
			assignments: { name: string; value: string }[];
		};
		const fields = assignments.map(({ name, value }) => [name, value] as const);
		return { json: Object.fromEntries(fields) as IDataObject, pairedItem: { item: itemIndex } };
	});
}

/** Merge in its mode Append. */
function append(context: IExecuteFunctions): INodeExecutionData[] {
	return [0, 1].flatMap((input) =>
		context
			.getInputData(input)
			.map((item, itemIndex) => ({ ...item, pairedItem: { item: itemIndex, input } })),
	);
}

const DESCRIPTION = {
	version: [1, 1.1, 1.2, 2, 2.2, 3, 3.4],
	properties: [
		{ displayName: 'Assignments', name: 'assignments', type: 'json' as const, default: {} },
		{ displayName: 'Operation', name: 'operation', type: 'string' as const, default: '' },
	],
};

/**
 * Returns replacements of n8n's own nodes, which cannot be installed beside n8n-core, by their type name. They
 * do only what the example workflows need; e2e runs the same workflows with the real nodes.
 *
 * @param filesOnDisk what Read/Write Files from Disk reads; what it writes, it passes on
 */
export function n8nNodes(filesOnDisk: INodeExecutionData[] = []): Record<string, INodeType> {
	const readOrWrite = (context: IExecuteFunctions) => {
		const isWriting = context.getNodeParameter('operation', 0) === 'write';
		return isWriting ? context.getInputData() : filesOnDisk;
	};
	const standIn = (work: typeof passOn, more: Partial<INodeTypeDescription> = {}) =>
		testNode(async (context) => work(context), { ...DESCRIPTION, ...more });
	return {
		'n8n-nodes-base.merge': standIn(append, {
			inputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main],
		}),
		'n8n-nodes-base.noOp': standIn(passOn),
		'n8n-nodes-base.readWriteFile': standIn(readOrWrite),
		'n8n-nodes-base.removeDuplicates': standIn(passOn),
		'n8n-nodes-base.set': standIn(setFields),
	};
}
