import { lowCreditError, operationError, toNodeError, asNodeError } from '../errors/errors';
import { optionalAmount } from '../form/parameters';
import type { Form } from '../form/values';
import type { NodeRun, SpendingLimits } from '../run/nodeRun';
import type { Recognition } from '../skip/recognition';
import type { SubmissionKey } from '../ledger/submissionLedger';
import { MAX_EDITS_LABEL, MIN_CREDIT_LABEL } from './spendingFields';

/** The limits in the form. @param settings what it says for all items */
function readSpendingLimits(run: NodeRun, settings: Form): SpendingLimits {
	return {
		maxEdits: optionalAmount(run, settings, 'mostEdits', MAX_EDITS_LABEL),
		minCredit: optionalAmount(run, settings, 'stopBelowCredit', MIN_CREDIT_LABEL),
		ignoresUnknownCredit: settings.options.ifCreditUnknown === 'goOn',
	};
}

/**
 * Reads the limits, and refuses a run before its first submission if it would spend more. Edits of earlier executions
 * are fetched all the same: then `recognition` has why nothing is submitted.
 *
 * @param settings what the form says for all items
 * @throws NodeOperationError or NodeApiError about all items
 */
export async function limitSpending(
	run: NodeRun,
	recognition: Recognition,
	settings: Form,
	planned: Parameters<typeof refuseOverspending>[1],
): Promise<void> {
	try {
		run.limits = readSpendingLimits(run, settings);
		await refuseOverspending(run, planned);
	} catch (error) {
		const fetches = recognition.remembered?.hasOpenEdit === true && error instanceof Error;
		if (!fetches) throw asNodeError(run.node, error, 0);
		recognition.refusal = error;
	}
}

/**
 * Refuses a run before its first submission if it would spend more than the form allows. Of recordings that
 * may be skipped, nobody knows yet which will be submitted: {@link overLimit} counts those.
 *
 * @param planned the submissions that the forms ask for, with the rule by which each may be skipped
 * @throws NodeOperationError or NodeApiError about all items
 */
async function refuseOverspending(
	run: NodeRun,
	planned: ReadonlyArray<SubmissionKey & { readonly skip?: object }>,
): Promise<void> {
	const fresh = planned.filter((one) => run.ledger.find(one) === undefined);
	if (fresh.length === 0) return;
	const refusal = overLimit(run, fresh.filter(({ skip }) => skip === undefined).length);
	if (refusal) throw refusal;
	await refuseBelowCredit(run);
}

/**
 * The error if the node must not create this many more edits in this execution.
 *
 * @param before how many it has created, or is about to
 */
export function overLimit(run: NodeRun, more: number, before = run.ledger.size): Error | undefined {
	const { maxEdits } = run.limits;
	if (maxEdits === undefined || more === 0 || before + more <= maxEdits) return undefined;
	const needed = `${more} ${more === 1 ? 'edit' : 'edits'}`;
	const already = before > 0 ? `, after ${before} in this execution` : '';
	const message = `'${MAX_EDITS_LABEL}' is ${maxEdits}, and the items need ${needed}${already}`;
	const description = `Not submitted, and not charged. Raise '${MAX_EDITS_LABEL}', or pass fewer items to this node.`;
	return operationError(run.node, message, { description });
}

async function refuseBelowCredit(run: NodeRun): Promise<void> {
	const { minCredit, ignoresUnknownCredit = false } = run.limits;
	if (minCredit === undefined) return;
	const { client } = await run.openService();
	const account = await client.getAccount();
	if (!account.ok) {
		const note = `Nothing was submitted, because '${MIN_CREDIT_LABEL}' is set.`;
		const error = toNodeError(run.node, account.failure, { doing: 'read the credit', note });
		if (run.isStopped || !ignoresUnknownCredit) throw error;
		run.hints.add(`The edits were created although the credit is unknown. ${error.message}`);
		return;
	}
	const { total } = account.value.credit;
	if (total < minCredit) throw lowCreditError(run.node, [total, minCredit], MIN_CREDIT_LABEL);
}
