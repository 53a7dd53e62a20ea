import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

/**
 * Replaces one of n8n's own nodes, which cannot be installed beside n8n-core. Does only what the example
 * workflows need; e2e runs the same workflows with the real nodes.
 */
class StandIn implements INodeType {
	description: INodeTypeDescription;

	execute: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

	constructor(
		name: string,
		work: (context: IExecuteFunctions) => INodeExecutionData[],
		inputs: INodeTypeDescription['inputs'] = [NodeConnectionTypes.Main],
	) {
		this.execute = async function () {
			return [work(this)];
		};
		this.description = {
			displayName: name,
			name,
			icon: 'fa:cube',
			subtitle: 'for tests',
			group: ['transform'],
			version: [1, 1.1, 1.2, 2, 2.2, 3, 3.4],
			description: 'Replaces a node of n8n',
			defaults: { name },
			usableAsTool: true,
			inputs,
			outputs: [NodeConnectionTypes.Main],
			properties: [
				{ displayName: 'Assignments', name: 'assignments', type: 'json', default: {} },
				{ displayName: 'Operation', name: 'operation', type: 'string', default: '' },
			],
		};
	}
}

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

const TWO_INPUTS = [NodeConnectionTypes.Main, NodeConnectionTypes.Main];

/**
 * Returns the stand-ins by the type name of the node they replace.
 *
 * @param filesOnDisk what Read/Write Files from Disk reads; what it writes, it passes on
 */
export function n8nNodes(filesOnDisk: INodeExecutionData[] = []): Record<string, INodeType> {
	const readOrWrite = (context: IExecuteFunctions) => {
		const isWriting = context.getNodeParameter('operation', 0) === 'write';
		return isWriting ? context.getInputData() : filesOnDisk;
	};
	const nodes = [
		new StandIn('merge', append, TWO_INPUTS),
		new StandIn('noOp', passOn),
		new StandIn('readWriteFile', readOrWrite),
		new StandIn('removeDuplicates', passOn),
		new StandIn('set', setFields),
	];
	return Object.fromEntries(nodes.map((node) => [`n8n-nodes-base.${node.description.name}`, node]));
}
