import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

/** What a node does with one item. */
export type Handle = (context: IExecuteFunctions, itemIndex: number) => Promise<INodeExecutionData>;

/** A node that handles its items one after another. */
export class PeerNode implements INodeType {
	description: INodeTypeDescription;

	execute: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

	constructor(name: string, handle: Handle) {
		this.description = {
			displayName: name,
			name,
			group: ['transform'],
			version: 1,
			description: 'Compared with our nodes in a bench',
			defaults: { name },
			inputs: [NodeConnectionTypes.Main],
			outputs: [NodeConnectionTypes.Main],
			properties: [],
			credentials: [{ name: 'audioEditingApi', required: true }],
		};
		this.execute = async function () {
			const results: INodeExecutionData[] = [];
			for (const itemIndex of this.getInputData().keys()) {
				results.push(await handle(this, itemIndex));
			}
			return [results];
		};
	}
}
