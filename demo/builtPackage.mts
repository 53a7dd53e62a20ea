import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

import type { ICredentialType, INodeType } from 'n8n-workflow';

/** The package name, the prefix of its full node type names. */
export const PACKAGE = 'n8n-nodes-audio-editing';

const ROOT = join(import.meta.dirname, '..');

const require = createRequire(import.meta.url);

const { n8n } = require('../package.json') as { n8n: { nodes: string[]; credentials: string[] } };

/** The nodes as shipped, by full name: the built files listed in package.json. @param root of the package */
export function loadNodes(root = ROOT): Record<string, INodeType> {
	const nodes = n8n.nodes.map((path) => construct(join(root, path)) as INodeType);
	return namedNodes(Object.fromEntries(nodes.map((node) => [node.description.name, node])));
}

/** Nodes by full name, as if they belonged to this package. */
export function namedNodes(nodes: Record<string, INodeType>): Record<string, INodeType> {
	const entries = Object.entries(nodes);
	return Object.fromEntries(entries.map(([name, node]) => [`${PACKAGE}.${name}`, node]));
}

/** The credential type as shipped. */
export function loadCredential(): ICredentialType {
	return construct(join(ROOT, n8n.credentials[0])) as ICredentialType;
}

/** Like n8n, finds the class by the file's name. */
function construct(path: string): object {
	// A `require` keeps all that it has loaded, and trials load the nodes once for each process of n8n.
	const exported = createRequire(import.meta.url)(path) as Record<string, new () => object>;
	const [className] = basename(path).split('.');
	return new exported[className]();
}
