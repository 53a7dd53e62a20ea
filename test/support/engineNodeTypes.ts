import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type INodeTypes,
	NodeConnectionTypes,
	NodeHelpers,
} from 'n8n-workflow';

/** Replaces a workflow's trigger or file reader and outputs fixed items. */
export class FixedItems implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Fixed Items',
		name: 'fixedItems',
		icon: 'fa:play',
		subtitle: 'for tests',
		group: ['input'],
		version: 1,
		description: 'Outputs fixed items',
		defaults: { name: 'Fixed Items' },
		usableAsTool: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	};

	constructor(private readonly items: INodeExecutionData[] = [{ json: {} }]) {
		// n8n calls execute with its own context as `this`, so the items are bound here.
		const given = this.items;
		this.execute = async () => [given];
	}

	execute: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;
}

/** The node types of a run: ours by name, and the fixed items for any other type. */
export class EngineNodeTypes implements INodeTypes {
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
