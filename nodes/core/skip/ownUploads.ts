import { hashOf } from '../ledger/identity';
import type { NodeRun } from '../run/nodeRun';
import { recordIn } from '../ledger/submissionLedger';

/*
 * Which URLs Upload returned in this execution. A node in between may keep nothing else of its items. We
 * keep hashes in the context that n8n stores with the execution, because a signed link is a secret.
 */
const UPLOADS = 'audioEditingUploads';

function uploadsOf({ context }: NodeRun): Record<string, boolean> {
	return recordIn(context.getContext('flow'), UPLOADS);
}

export function noteUpload(run: NodeRun, fileUrl: string): void {
	uploadsOf(run)[hashOf([fileUrl])] = true;
}

export function isUpload(run: NodeRun, url: string): boolean {
	return Object.hasOwn(uploadsOf(run), hashOf([url]));
}
