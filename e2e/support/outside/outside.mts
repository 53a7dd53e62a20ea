import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import { type Host, startHost } from '../host.mts';
import { code, webhook } from '../nodes.mts';
import type { Execution, NewWorkflow } from '../pages/editor.mts';
import { firstExecution } from '../pages/form.mts';
import { openSandbox } from '../sandbox.mts';
import { type Answer, startStandIn } from '../standIn.mts';
import { type Changes, type OtherCredentials, withOthers } from '../workflowFiles.mts';

/**
 * Starts n8n whose requests to other hosts by HTTPS reach the stand-ins given to `answerFor`, by the host's name.
 * The service recognizes speech.
 */
export async function startOutside() {
	const answers = new Map<string, Answer>();
	const answer: Answer = (asked) =>
		answers.get(asked.headers.host ?? '')?.(asked) ?? { status: 404 };
	// n8n needs its port at the start.
	const { port } = new URL(await startStandIn(await openSandbox('outside'), answer));
	const hooks = join(import.meta.dirname, 'outsideHosts.cjs');
	const host = await startHost('recipes', {
		recognizes: true,
		env: { OUTSIDE_PORT: port, NODE_OPTIONS: `--require ${hooks}` },
	});
	return {
		...host,
		/** Lets a stand-in answer for these hosts. */
		answerFor: (given: Answer, ...names: readonly string[]) => {
			for (const name of names) answers.set(name, given);
		},
		/** Returns a workflow as it is after importing, with these credentials. */
		importedWith: async (file: string, changes: Changes, others: OtherCredentials) =>
			withOthers(await host.imported(file, changes), others),
	};
}

export type Outside = Awaited<ReturnType<typeof startOutside>>;

/** Runs a published workflow with these items in place of what its trigger finds. */
export async function runWith(
	{ editor }: Host,
	workflow: NewWorkflow,
	items: readonly object[],
): Promise<Execution> {
	const [{ name, position }] = workflow.nodes;
	const path = randomUUID();
	const found = items.map((json) => ({ json }));
	const links = [
		webhook(path),
		{ ...code(name, `return ${JSON.stringify(found)};`), position } satisfies Partial<INode>,
	];
	const [hook, trigger] = links.map(
		(link): INode => ({
			typeVersion: 1,
			parameters: {},
			...link,
			id: randomUUID(),
			position: [...position],
		}),
	);
	const id = await editor.published({
		...workflow,
		nodes: [hook, trigger, ...workflow.nodes.slice(1)],
		connections: {
			...workflow.connections,
			[hook.name]: { main: [[{ node: name, type: 'main', index: 0 }]] },
		},
	});
	await editor.post(path);
	return await firstExecution(editor, id);
}
