import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { hashOf } from './identity';

/*
 * Which URLs Upload returned in this execution. A node in between may keep nothing else of its items. We
 * keep hashes in the context that n8n stores with the execution, because a signed link is a secret.
 */
const UPLOADS = 'audioEditingUploads';

function uploadsOf(context: IExecuteFunctions): IDataObject {
	const flow: IDataObject = context.getContext('flow');
	flow[UPLOADS] ??= {};
	return flow[UPLOADS] as IDataObject;
}

export function noteUpload(context: IExecuteFunctions, fileUrl: string): void {
	uploadsOf(context)[hashOf([fileUrl])] = true;
}

export function isUpload(context: IExecuteFunctions, url: string): boolean {
	return Object.hasOwn(uploadsOf(context), hashOf([url]));
}
