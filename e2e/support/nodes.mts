/** The nodes of which the tests build their workflows. */
import type { INode, INodeParameters } from 'n8n-workflow';

import { PACKAGE } from './places.mts';
import type { Changes, chain } from './workflowFiles.mts';

/** A node of a chain. */
export type Link = Parameters<typeof chain>[2][number];

/** The node that starts a chain by hand. */
export const START: Link = { name: 'Start', type: 'n8n-nodes-base.manualTrigger' };

/** The trigger of the example workflows that run by hand. */
export const MANUAL = "When clicking 'Execute workflow'";

/** Returns one of our nodes, named after its type. */
export function ours(type: string, more: Partial<INode> = {}): Link {
	return { name: type, type: `${PACKAGE}.${type}`, typeVersion: 1, ...more };
}

/** Our nodes for one edit, with their names in n8n. */
export const createEdit = (parameters: INodeParameters = {}) =>
	ours('createEdit', { name: 'Audio Editing Create Edit', parameters });
export const waitForEdit = (parameters: INodeParameters = {}) =>
	ours('waitForEdit', { name: 'Audio Editing Wait For Edit', parameters });
export const getResult = (parameters: INodeParameters = {}) =>
	ours('getResult', { name: 'Audio Editing Get Result', parameters });

/** Returns n8n's node that runs this code. */
export function code(name: string, jsCode: string): Link {
	return { name, type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } };
}

/** Returns n8n's trigger for a POST to this path, which it answers at once. */
export function webhook(path: string): Link {
	const parameters = { path, httpMethod: 'POST', responseMode: 'onReceived', options: {} };
	return { ...own('webhook', parameters, 2), name: 'Webhook', webhookId: path };
}

/** Returns the node that reads the files with these paths, such as `/inbox/*.wav`. */
export function fileReader(fileSelector: string): Link {
	return own('readWriteFile', { fileSelector, options: {} });
}

function own(type: string, parameters: INodeParameters, typeVersion = 1): Link {
	return { name: type, type: `n8n-nodes-base.${type}`, typeVersion, parameters };
}

/** Sets the URL in the node Recording of an example workflow. */
export function recordingAt(url: string): Changes {
	const assignment = { id: 'a1', name: 'fileUrl', value: url, type: 'string' };
	return { Recording: { assignments: { assignments: [assignment] } } };
}
