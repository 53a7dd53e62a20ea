import type { INodeExecutionData, IRun } from 'n8n-workflow';

import { type ServiceAccess, credentialFor } from './chain';
import { type RunRequest, type WorkflowJson, runWorkflow } from './n8nEngine';
import { failureOf } from './failures';
import { foreignFields } from './namedFields';
import { OUR_CREDENTIALS, OUR_NODES } from './ourNodes';

export * from './chain';

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
		credentialTypes: OUR_CREDENTIALS,
		credentials: { audioEditingApi: credentialFor(access) },
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
			...(data?.main.flat() ?? []).flatMap((item) => (item?.json && failureOf(item)) || []),
			...hints,
		]);
		for (const text of texts) {
			const { message, description = '' } = text as { message: string; description?: string };
			expect(foreignFields(short, `${message} ${description}`)).toEqual([]);
		}
	}
}
