import type { INodeExecutionData, IRun, IWorkflowExecuteAdditionalData } from 'n8n-workflow';

import { type ServiceAccess, credentialFor } from './chain';
import { type RunRequest, type WorkflowJson, additionalData, runWorkflow } from './n8nEngine';
import { failureOf } from './failures';
import { foreignFields } from './namedFields';
import { OUR_CREDENTIALS, OUR_NODES } from './ourNodes';

export * from './chain';

/** Our credential for a service, as a run takes it. */
const credentialsFor = (access: ServiceAccess) => ({
	credentialTypes: OUR_CREDENTIALS,
	credentials: { audioEditingApi: credentialFor(access) },
});

/** Returns what n8n provides to an execution beside its data, with our credential for a service. */
export const dataFor = (access: ServiceAccess): IWorkflowExecuteAdditionalData =>
	additionalData(credentialsFor(access));

/** Runs a chain against a service. */
export async function runChain(
	access: ServiceAccess,
	workflow: WorkflowJson,
	items: INodeExecutionData[] = [{ json: {} }],
	more: Partial<RunRequest> = {},
): Promise<IRun> {
	const run = await runWorkflow({
		workflow,
		items,
		nodeTypes: OUR_NODES,
		...credentialsFor(access),
		...more,
	});
	assertOwnFields(run, workflow);
	return run;
}

/** Whatever else a test looks at: no text of a node names a field that only another form has. */
function assertOwnFields(run: IRun, { nodes }: WorkflowJson): void {
	for (const { name, type } of nodes) {
		const short = type.split('.').at(-1)!;
		const tasks = run.data.resultData.runData[name] ?? [];
		const texts = tasks.flatMap(({ error, hints = [], data }) => [
			...(error ? [error] : []),
			...Object.values(data ?? {})
				.flat(2)
				.flatMap((item) => (item?.json && failureOf(item)) || []),
			...hints,
		]);
		for (const text of texts) {
			const { message, description = '' } = text as { message: string; description?: string };
			expect(foreignFields(short, `${message} ${description}`)).toEqual([]);
		}
	}
}
