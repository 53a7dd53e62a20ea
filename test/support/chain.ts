import type { ICredentialDataDecryptedObject, INode, INodeParameters } from 'n8n-workflow';

import type { WorkflowJson } from './n8nEngine';
import { versionOf } from './ourNodes';
import { placed } from './placed';

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
