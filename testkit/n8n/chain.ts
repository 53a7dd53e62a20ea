import type { ICredentialDataDecryptedObject, INode, INodeParameters } from 'n8n-workflow';

import { OPTION_COLLECTIONS } from '../../nodes/core/form/optionGroups';
import type { WorkflowJson } from './n8nEngine';
import { OUR_NODES, versionOf } from './ourNodes';

/** A node of a test workflow: the short name of one of ours, its parameters and its settings. */
export interface NodeSpec {
	type: string;
	name?: string;
	parameters?: INodeParameters;
	settings?: Partial<INode>;
}

/** The service's address and the key for it. */
export interface ServiceAccess {
	url: string;
	apiKey: string;
}

/** Returns a workflow that starts with fixed items and runs the given nodes one after another. */
export function chain(...specs: NodeSpec[]): WorkflowJson {
	const input = node({ type: 'fixedItems', name: 'Input' }, 0);
	const nodes = [input, ...specs.map((spec, index) => node(spec, index + 1))];
	const links = nodes
		.slice(1)
		.map((target, index) => [
			nodes[index].name,
			{ main: [[{ node: target.name, type: 'main' as const, index: 0 }]] },
		]);
	return { nodes, connections: Object.fromEntries(links) };
}

/** A connection: from the output of a node, the first if none is named, to another node. */
export type Link = readonly [from: string, to: string, output?: number];

/** Returns a workflow that starts with fixed items, in `Input`, and whose nodes are connected like this. */
export function graph(specs: readonly NodeSpec[], links: readonly Link[]): WorkflowJson {
	const connections: WorkflowJson['connections'] = {};
	for (const [from, to, output = 0] of links) {
		const { main } = (connections[from] ??= { main: [] });
		while (main.length <= output) main.push([]);
		main[output]?.push({ node: to, type: 'main', index: 0 });
	}
	return { nodes: chain(...specs).nodes, connections };
}

/** Returns the credential's values for a service. */
export function credentialFor({ url, apiKey }: ServiceAccess): ICredentialDataDecryptedObject {
	return { baseUrl: url, apiKey };
}

function node({ type, name = type, parameters = {}, settings }: NodeSpec, index: number): INode {
	return {
		id: `node-${index}`,
		name,
		type: `n8n-nodes-audio-editing.${type}`,
		typeVersion: versionOf(type),
		position: [200 * index, 0],
		parameters: placed(type, parameters),
		credentials: { audioEditingApi: { id: '1', name: 'Audio Editing' } },
		...settings,
	};
}

/**
 * Returns the fields of one of our nodes as n8n saves them. Tests name a field; in which group the form has it
 * is for the form to know.
 *
 * @param type the node's short name
 */
export function placed(type: string, fields: INodeParameters): INodeParameters {
	const node = OUR_NODES[`n8n-nodes-audio-editing.${type.replace(/Tool$/, '')}`];
	const properties = node?.description.properties ?? [];
	const groups = properties.filter(({ name }) => OPTION_COLLECTIONS.has(name));
	const groupOf = (field: string) =>
		properties.some(({ name }) => name === field)
			? undefined
			: groups.find(({ options }) => options?.some(({ name }) => name === field))?.name;
	const saved: INodeParameters = {};
	for (const [field, value] of Object.entries(fields)) {
		const group = groupOf(field);
		const name = group ?? field;
		const own = group === undefined ? value : { [field]: value };
		saved[name] = OPTION_COLLECTIONS.has(name)
			? { ...(saved[name] as object), ...(own as object) }
			: own;
	}
	return saved;
}
