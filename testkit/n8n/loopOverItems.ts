import { type INodeExecutionData, type INodeType, NodeConnectionTypes } from 'n8n-workflow';

import { testDescription } from './engineNodeTypes';

/** The full name of the type. Its outputs are `done` and `loop`, as in n8n. */
export const LOOP_OVER_ITEMS = 'test.loopOverItems';

const { Main } = NodeConnectionTypes;

/**
 * A node that does what n8n's Loop Over Items does, whose package the tests do not install: it outputs its items
 * in batches, takes whatever comes back as what became of a batch, and outputs all of that at the end.
 */
export const loopOverItems: INodeType = {
	description: testDescription({
		name: LOOP_OVER_ITEMS,
		outputs: [Main, Main],
		properties: [{ displayName: 'Batch Size', name: 'batchSize', type: 'number', default: 1 }],
	}),
	async execute() {
		const state = this.getContext('node') as {
			waiting?: INodeExecutionData[];
			done?: INodeExecutionData[];
		};
		const { waiting, done = [] } = state;
		const items = this.getInputData();
		state.waiting = waiting ?? [...items];
		state.done = waiting === undefined ? [] : [...done, ...items];
		const batch = state.waiting.splice(0, Number(this.getNodeParameter('batchSize', 0)));
		return batch.length > 0 ? [[], batch] : [state.done, []];
	},
};
