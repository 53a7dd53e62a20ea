import type { Configuration } from '../config/readConfiguration';
import { valueOrThrow, operationError } from '../errors/errors';
import { labelOfGroup } from '../form/optionGroups';
import { LOCAL_KEYS, LOCAL_KEY_NAMES } from '../config/localKeys';
import type { SubmissionKey } from '../ledger/submissionLedger';
import type { NodeRun } from '../run/nodeRun';
import { listed, MAX_NAMED } from '../texts';
import type { RequestHint } from './prepareEdit';
import { checkTemplatePicture } from './templatePicture';

/**
 * Compares a new edit with what its service says of itself and of its templates, before anything is uploaded.
 *
 * @returns hints about the edit
 * @throws NodeOperationError if the service cannot make it
 */
export async function checkBeforeUpload(
	run: NodeRun,
	submission: SubmissionKey,
	configuration: Configuration,
): Promise<RequestHint[]> {
	// What was charged before a retry is fetched, whatever the service says now.
	if (run.isStopped || run.ledger.find(submission) !== undefined) return [];
	await refuseUnlessLocal(run, submission, configuration);
	return await checkTemplatePicture(run, submission, configuration);
}

/** A service that ignores keys that it does not know would charge, and do nothing of what they ask for. */
async function refuseUnlessLocal(
	run: NodeRun,
	{ itemIndex }: SubmissionKey,
	{ local = {}, kit = [] }: Configuration,
): Promise<void> {
	const keys = LOCAL_KEY_NAMES.filter((key) => local[key] !== undefined);
	const isForLocal = keys.length > 0 || kit.length > 0;
	if (!isForLocal || (await isLocal(run, itemIndex))) return;
	const labels = [
		...keys.map((key) => `'${LOCAL_KEYS[key].field.displayName}'`),
		...new Set(kit.map(({ label }) => `'${label}'`)),
	];
	const names = listed(labels, MAX_NAMED);
	const message = `Only the local service has ${names}; this is another service [item ${itemIndex}]`;
	const groups = keys.map((key) => LOCAL_KEYS[key].group);
	const all = new Set(kit.length > 0 ? [...groups, 'introAndOutro' as const] : groups);
	const where = [...all].map(labelOfGroup).join(' and ');
	const description = `Not submitted, and not charged. Remove the option under ${where}, or choose the credential of a local service.`;
	throw operationError(run.node, message, { itemIndex, description });
}

/** Whether the service is the local one: asks once in a run. @throws NodeApiError or NodeOperationError if the account cannot be read */
export async function isLocal(run: NodeRun, itemIndex: number): Promise<boolean> {
	if (run.isLocalService !== undefined) return run.isLocalService;
	const { client, failFast } = await run.openService();
	const answer = failFast.learn(itemIndex, await client.getAccount());
	const doing = 'find out whether this is the local service';
	const { meta } = valueOrThrow(answer, run.node, { itemIndex, doing });
	run.isLocalService = meta?.service === 'local';
	return run.isLocalService;
}
