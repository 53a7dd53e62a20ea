import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { COMMON_DESCRIPTION } from '../../nodes/shared/form/fields';

/** A node that runs a test's function with n8n's real context, to test what nodes build on. */
export class Probe implements INodeType {
	description: INodeTypeDescription = {
		...COMMON_DESCRIPTION,
		displayName: 'Probe',
		name: 'probe',
		icon: 'fa:flask',
		subtitle: 'for tests',
		group: ['transform'],
		description: 'Runs a function from a test',
		defaults: { name: 'Probe' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	};

	execute: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

	constructor(work: (context: IExecuteFunctions) => Promise<void>) {
		this.execute = async function () {
			await work(this);
			return [[]];
		};
	}
}
