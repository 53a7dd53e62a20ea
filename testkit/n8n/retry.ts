import type { IRun, IRunExecutionData } from 'n8n-workflow';

import { workflowOf } from './engineNodeTypes';
import type { RunRequest, WorkflowJson } from './n8nEngine';
import { OUR_NODES } from './ourNodes';
import { throughDatabase } from './throughDatabase';
import { type ServiceAccess, runChain } from './workflows';

/**
 * Retries a failed execution as n8n's server does: with a copy of its data, in which the failed run of
 * the last node is gone.
 *
 * @param saved the workflow for 'Retry with currently saved workflow'; without it, the original one
 */
export async function retry(
	access: ServiceAccess,
	failed: IRun,
	original: WorkflowJson,
	{ saved, ...more }: { saved?: WorkflowJson } & Partial<RunRequest> = {},
): Promise<IRun> {
	const data = throughDatabase(failed);
	delete data.resultData.error;
	const runs = data.resultData.runData[data.resultData.lastNodeExecuted ?? ''];
	if (runs?.at(-1)?.error !== undefined) runs.pop();
	if (saved !== undefined) useNodesOf(saved, data);
	const workflow = saved ?? original;
	return await runChain(access, workflow, [], { mode: 'retry', resumeFrom: data, ...more });
}

/** Replaces the nodes that run next by those of the saved workflow. */
function useNodesOf(saved: WorkflowJson, data: IRunExecutionData): void {
	const workflow = workflowOf(saved, OUR_NODES);
	for (const entry of data.executionData?.nodeExecutionStack ?? []) {
		entry.node = workflow.getNode(entry.node.name) ?? entry.node;
	}
}
