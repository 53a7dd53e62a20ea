import type { ICredentialType, INodeType } from 'n8n-workflow';

import { AudioEditingApi } from '../../credentials/AudioEditingApi.credentials';
import { Account } from '../../nodes/Account/Account.node.js';
import { CreateEdit } from '../../nodes/CreateEdit/CreateEdit.node.js';
import { Delete } from '../../nodes/Delete/Delete.node.js';
import { AudioEditing } from '../../nodes/AudioEditing/AudioEditing.node.js';
import { EditFinishedTrigger } from '../../nodes/EditFinishedTrigger/EditFinishedTrigger.node.js';
import { GetResult } from '../../nodes/GetResult/GetResult.node.js';
import { Upload } from '../../nodes/Upload/Upload.node.js';
import { WaitForEdit } from '../../nodes/WaitForEdit/WaitForEdit.node.js';

/** Every node of the package by its type name in n8n. */
export const OUR_NODES: Record<string, INodeType> = Object.fromEntries(
	[
		new AudioEditing(),
		new Upload(),
		new CreateEdit(),
		new WaitForEdit(),
		new GetResult(),
		new Delete(),
		new Account(),
		new EditFinishedTrigger(),
	].map((node: INodeType) => [`n8n-nodes-audio-editing.${node.description.name}`, node]),
);

/** Returns the version of our node, by short name; 1 for other nodes. */
export function versionOf(type: string): number {
	const node = type.replace(/Tool$/, '');
	const { description } = OUR_NODES[`n8n-nodes-audio-editing.${node}`] ?? {};
	return Number(description?.version ?? 1);
}

/** Every credential type of the package. */
export const OUR_CREDENTIALS: Record<string, ICredentialType> = {
	audioEditingApi: new AudioEditingApi(),
};
