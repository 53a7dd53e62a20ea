import type { IDataObject } from 'n8n-workflow';

import { withoutResumeSignatures } from './resumeUrl';

/**
 * An answer of the service as it came, for an item's json. A key `error` at the top would make n8n's
 * Retry On Fail run the node again and its error output take the item for a failed one, so that key
 * is called `serviceError` here. Addresses of executions are shown without n8n's signature.
 */
export function rawBody(body: object): IDataObject {
	const { error, ...rest } = withoutResumeSignatures(body) as IDataObject;
	return { ...rest, ...(error !== undefined && { serviceError: error }) };
}
