/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they run what a Code node has */
import { compileFunction } from 'vm';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
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

/** Merge in its mode Append. An input that got nothing has no items. */
function append(context: IExecuteFunctions): INodeExecutionData[] {
	const count = context.getNodeParameter('numberInputs', 0) as number;
	return Array.from({ length: count }, (_, input) => {
		const items: INodeExecutionData[] | undefined = context.getInputData(input);
		return (items ?? []).map((item, index) => ({ ...item, pairedItem: { item: index, input } }));
	}).flat();
}

/** Code: runs the JavaScript of the workflow once for all items, with what n8n gives it. */
function runCode(context: IExecuteFunctions): INodeExecutionData[] {
	const code = context.getNodeParameter('jsCode', 0) as string;
	const { $, $input } = context.getWorkflowDataProxy(0);
	return compileFunction(code, ['$', '$input'])($, $input) as INodeExecutionData[];
}

const DESCRIPTION = {
	version: [1, 1.1, 1.2, 2, 2.2, 3, 3.4],
	properties: [
		{ displayName: 'Assignments', name: 'assignments', type: 'json' as const, default: {} },
		{ displayName: 'Operation', name: 'operation', type: 'string' as const, default: '' },
		{ displayName: 'Code', name: 'jsCode', type: 'string' as const, default: '' },
		{ displayName: 'Inputs', name: 'numberInputs', type: 'number' as const, default: 2 },
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
		'n8n-nodes-base.code': standIn(runCode),
		'n8n-nodes-base.merge': standIn(append, {
			inputs: '={{ Array.from({ length: $parameter.numberInputs }, () => "main") }}',
			requiredInputs: 1,
		}),
		'n8n-nodes-base.noOp': standIn(passOn),
		'n8n-nodes-base.readWriteFile': standIn(readOrWrite),
		'n8n-nodes-base.set': standIn(setFields),
	};
}
