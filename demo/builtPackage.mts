import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

import type { ICredentialType, INodeType } from 'n8n-workflow';

/** The package's name, with which the full names of its node types begin. */
export const PACKAGE = 'n8n-nodes-audio-editing';

const ROOT = join(import.meta.dirname, '..');

const require = createRequire(import.meta.url);

const { n8n } = require('../package.json') as { n8n: { nodes: string[]; credentials: string[] } };

/** The nodes as they are shipped, by full name: the built files that package.json names. */
export function loadNodes(): Record<string, INodeType> {
	const nodes = n8n.nodes.map((path) => construct(path) as INodeType);
	return namedNodes(Object.fromEntries(nodes.map((node) => [node.description.name, node])));
}

/** Nodes by full name, as if they were of this package. */
export function namedNodes(nodes: Record<string, INodeType>): Record<string, INodeType> {
	const entries = Object.entries(nodes);
	return Object.fromEntries(entries.map(([name, node]) => [`${PACKAGE}.${name}`, node]));
}

/** The credential type as it is shipped. */
export function loadCredential(): ICredentialType {
	return construct(n8n.credentials[0]) as ICredentialType;
}

/** n8n finds the class in a file by the file's name; so do we. */
function construct(path: string): object {
	const exported = require(join(ROOT, path)) as Record<string, new () => object>;
	const [className] = basename(path).split('.');
	return new exported[className]();
}
