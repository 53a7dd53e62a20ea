import {
	type INodeExecutionData,
	type INodeType,
	type IRun,
	type IWorkflowExecuteAdditionalData,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { testDescription } from './engineNodeTypes';
import { itemsOf } from './n8nEngine';

/** The full name of the type. */
export const EXECUTE_WORKFLOW = 'test.executeWorkflow';

const { Main } = NodeConnectionTypes;

/** A node that runs a sub-workflow as n8n's Execute Sub-workflow does: once with all items, or once for each. */
export const executeWorkflow: INodeType = {
	description: testDescription({
		name: EXECUTE_WORKFLOW,
		outputs: [Main],
		properties: [{ displayName: 'Mode', name: 'mode', type: 'string', default: 'once' }],
	}),
	async execute() {
		const items = this.getInputData();
		const isOnce = this.getNodeParameter('mode', 0) === 'once';
		const returned: INodeExecutionData[] = [];
		for (const some of isOnce ? [items] : items.map((item) => [item])) {
			const { data } = await this.executeWorkflow({ id: 'sub' }, some);
			returned.push(...(data[0] ?? []));
		}
		return [returned];
	},
};

/**
 * Runs a sub-workflow for such a node, as n8n's server does: as an execution of its own, which returns the items
 * of its last node.
 *
 * @param run runs the sub-workflow with these items, under this ID of the execution
 */
export function subWorkflow(
	run: (items: INodeExecutionData[], executionId: string) => Promise<IRun>,
): IWorkflowExecuteAdditionalData['executeWorkflow'] {
	let executions = 100;
	return async (_info, _additionalData, { inputData = [] }) => {
		const executionId = String((executions += 1));
		const { data } = await run(inputData, executionId);
		const { error, lastNodeExecuted = '' } = data.resultData;
		if (error !== undefined) throw error;
		return { executionId, data: [itemsOf({ data } as IRun, lastNodeExecuted)] };
	};
}
