import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { INode, INodeParameters } from 'n8n-workflow';

import { CREDENTIAL_TYPE, type CredentialReference, type NewWorkflow } from './pages/editor.mts';
import { PACKAGE, ROOT } from './places.mts';

/** Parameters to change, by node name. */
export type Changes = Readonly<Record<string, INodeParameters>>;

/** The parent of the example workflows' folders in n8n's container. */
const CONTAINER_HOME = '/home/node';

/**
 * Returns a workflow of `workflows/` as it is after importing, with a credential chosen and some fields
 * changed.
 *
 * @param home the home folder of the user n8n runs as
 */
export async function importedWorkflow(
	file: string,
	credential: CredentialReference,
	home: string,
	changes: Changes = {},
): Promise<NewWorkflow> {
	const text = await readFile(join(ROOT, 'workflows', file), 'utf8');
	const workflow = JSON.parse(text.replaceAll(CONTAINER_HOME, home)) as NewWorkflow;
	const nodes = workflow.nodes.map((node) => ({
		...node,
		parameters: { ...node.parameters, ...changes[node.name] },
		// Importing gives webhooks new addresses, too, so a workflow can be imported twice.
		...(node.webhookId !== undefined && { webhookId: randomUUID() }),
	}));
	return { ...workflow, nodes: withCredential(nodes, credential) };
}

/** A credential of another service, by the nodes that use it. */
export type OtherCredentials = Readonly<Partial<Record<string, NodeCredentials>>>;

/** The credentials of a node, by their types. */
export type NodeCredentials = Readonly<Record<string, CredentialReference>>;

/** Returns a workflow with credentials chosen in nodes that are not ours, by node name and type. */
export function withOthers(workflow: NewWorkflow, others: OtherCredentials): NewWorkflow {
	const nodes = workflow.nodes.map((node) => {
		const credentials = others[node.name];
		return credentials === undefined ? node : { ...node, credentials: { ...credentials } };
	});
	return { ...workflow, nodes };
}

/** Returns the values of a node Settings, to change those of an example workflow. */
export function settingsOf(values: Readonly<Record<string, string | number | boolean>>): Changes {
	const assignments = Object.entries(values).map(([name, value]) => ({
		id: name,
		name,
		value,
		type: typeof value,
	}));
	return { Settings: { assignments: { assignments }, options: {} } };
}

/** Returns a chain of nodes, each connected to the next. */
export function chain(
	name: string,
	credential: CredentialReference,
	links: readonly (Pick<INode, 'name' | 'type'> & Partial<INode>)[],
): NewWorkflow {
	const nodes = links.map(
		(node, index): INode => ({
			id: randomUUID(),
			typeVersion: 1,
			position: [index * 220, 0],
			parameters: {},
			...node,
		}),
	);
	const connections = Object.fromEntries(
		nodes.slice(1).map(({ name: next }, index) => {
			const link = { node: next, type: 'main' as const, index: 0 };
			return [nodes[index]?.name ?? '', { main: [[link]] }];
		}),
	);
	const settings = { executionOrder: 'v1' as const };
	return { name, nodes: withCredential(nodes, credential), connections, settings };
}

/** Returns the nodes, with the credential in each node of this package. */
function withCredential(nodes: readonly INode[], credential: CredentialReference): INode[] {
	const credentials = { [CREDENTIAL_TYPE]: { ...credential } };
	return nodes.map((node) => {
		return node.type.startsWith(`${PACKAGE}.`) ? { ...node, credentials } : node;
	});
}
