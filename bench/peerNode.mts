import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

/** What a node does with an item. */
export type Handle = (context: IExecuteFunctions, itemIndex: number) => Promise<INodeExecutionData>;

/** A node that does one thing with each item, one after another, and nothing else. */
export class PeerNode implements INodeType {
	description: INodeTypeDescription;

	execute: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

	constructor(name: string, handle: Handle) {
		this.description = {
			displayName: name,
			name,
			group: ['transform'],
			version: 1,
			description: 'Stands beside our nodes in a bench',
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
