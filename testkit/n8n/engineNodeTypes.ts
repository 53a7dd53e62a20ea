import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type INodeTypes,
	type IWorkflowBase,
	NodeConnectionTypes,
	NodeHelpers,
	Workflow,
	type WorkflowParameters,
} from 'n8n-workflow';

/** Returns the description of a node of a test. */
export const testDescription = (
	more: Partial<INodeTypeDescription> = {},
): INodeTypeDescription => ({
	displayName: 'Test Node',
	name: 'testNode',
	group: ['transform'],
	version: 1,
	description: 'A node of a test',
	defaults: {},
	inputs: [NodeConnectionTypes.Main],
	outputs: [NodeConnectionTypes.Main],
	properties: [],
	...more,
});

/** Returns a node that does a test's work, in n8n's real context. */
export function testNode(
	work: (context: IExecuteFunctions) => Promise<INodeExecutionData[]>,
	more?: Partial<INodeTypeDescription>,
): INodeType {
	return {
		description: testDescription(more),
		async execute() {
			return [await work(this)];
		},
	};
}

/** Replaces a workflow's trigger or file reader and outputs fixed items. */
export const fixedItems = (items: INodeExecutionData[] = [{ json: {} }]): INodeType =>
	testNode(async () => items, { inputs: [] });

/** The node types of a run: ours by name, and the fixed items for any other type. */
class EngineNodeTypes implements INodeTypes {
	constructor(
		private readonly ours: Record<string, INodeType>,
		private readonly other: INodeType,
	) {}

	getByName(type: string): INodeType {
		return this.ours[type] ?? this.other;
	}

	getByNameAndVersion(type: string, version?: number): INodeType {
		return NodeHelpers.getVersionedNodeType(this.getByName(type), version);
	}

	getKnownTypes() {
		return {};
	}
}

/**
 * Returns a workflow for n8n's engine.
 *
 * @param types node types by their full name; `other` is any other type
 */
export function workflowOf(
	{ nodes, connections }: Pick<IWorkflowBase, 'nodes' | 'connections'>,
	types: Record<string, INodeType>,
	other = fixedItems(),
	more: Partial<WorkflowParameters> = {},
): Workflow {
	const nodeTypes = new EngineNodeTypes(types, other);
	const known = { id: 'test', name: 'test', active: false };
	return new Workflow({ ...known, nodes, connections, nodeTypes, ...more });
}
