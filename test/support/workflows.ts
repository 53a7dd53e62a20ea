import type { INodeExecutionData, IRun } from 'n8n-workflow';

import { type ServiceAccess, credentialFor } from './chain';
import { type RunRequest, type WorkflowJson, runWorkflow } from './n8nEngine';
import { OUR_CREDENTIALS, OUR_NODES } from './ourNodes';

export * from './chain';

/** Runs a chain against a service. */
export async function runChain(
	access: ServiceAccess,
	workflow: WorkflowJson,
	items: INodeExecutionData[] = [{ json: {} }],
	more: Partial<RunRequest> = {},
): Promise<IRun> {
	return await runWorkflow({
		workflow,
		items,
		nodeTypes: OUR_NODES,
		credentialTypes: OUR_CREDENTIALS,
		credentials: { audioEditingApi: credentialFor(access) },
		...more,
	});
}
