import type { INodeProperties } from 'n8n-workflow';

import { lowCreditError, operationError, toNodeError } from '../../shared/errors/errors';
import { mode, numberField } from '../../shared/form/build';
import { readOptionalAmount } from '../../shared/form/parameters';
import type { NodeRun } from '../../shared/run/nodeRun';
import type { SubmissionKey } from '../../shared/run/submissionLedger';
import { canRemember } from '../../shared/memory/nodeMemory';
import { RetryMemory } from './retryMemory';

/*
 * Why an edit is not submitted: it was submitted before, or it would cost more than the form allows.
 */

/*
 * n8n copies the ledger of a failed execution into each retry of it. So the second retry does not know
 * what the first one submitted, and asks n8n's memory of the node. Other executions do not use the memory.
 */

const NO_MEMORY =
	'n8n cannot remember what this retry submits. Do not retry the same failed execution a second time: its edits would be charged again.';

/** The memory of a submission in a retry of an execution; undefined in any other execution. */
export function memoryInRetry(run: NodeRun, submission: SubmissionKey): RetryMemory | undefined {
	if (run.context.getMode() !== 'retry') return undefined;
	if (canRemember(run.context)) return new RetryMemory(run, submission);
	run.hints.add(NO_MEMORY);
	return undefined;
}

const MOST_EDITS = 'Most Edits per Execution';
const LEAST_CREDIT = 'Stop Below Credit';

/** The options that limit what a node spends. Those of the first item count for all. */
export const SPENDING_OPTIONS: INodeProperties[] = [
	numberField(
		'mostEdits',
		MOST_EDITS,
		100,
		"The maximum number of edits this node may create in one execution, across all its runs and calls. If the items need more, it creates none. With 'Skip Recordings Already Edited', it creates edits up to this number, and the other items go to 'Skipped'.",
		{ typeOptions: { minValue: 0 } },
	),
	numberField(
		'stopBelowCredit',
		LEAST_CREDIT,
		0,
		'The lowest total credit in the account at which this node creates edits. The node reads the credit before the first edit.',
		{ typeOptions: { minValue: 0 } },
	),
	mode(
		'ifCreditUnknown',
		'If Credit Is Unknown',
		'stop',
		"What to do if 'Stop Below Credit' is set and the account cannot be read",
		{
			stop: ['Stop', 'The node fails, and creates nothing'],
			goOn: ['Continue', 'The node creates the edits, and adds a hint'],
		},
	),
];

/**
 * Refuses a run before its first submission if it would spend more than the form allows. Of recordings that
 * may be skipped, nobody knows yet which will be submitted: {@link overLimit} counts those.
 *
 * @param planned the submissions that the forms ask for, with the rule by which each may be skipped
 * @throws NodeOperationError or NodeApiError about all items
 */
export async function refuseOverspending(
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
	const most = readOptionalAmount(run, 0, 'mostEdits', MOST_EDITS);
	if (most === undefined || more === 0 || before + more <= most) return undefined;
	const needed = `${more} ${more === 1 ? 'edit' : 'edits'}`;
	const already = before > 0 ? `, after ${before} in this execution` : '';
	const message = `'${MOST_EDITS}' is ${most}, and the items need ${needed}${already}`;
	const description = `Not submitted, and not charged. Raise '${MOST_EDITS}', or pass fewer items to this node.`;
	return operationError(run.node, message, { description });
}

async function refuseBelowCredit(run: NodeRun): Promise<void> {
	const least = readOptionalAmount(run, 0, 'stopBelowCredit', LEAST_CREDIT);
	if (least === undefined) return;
	const { client } = await run.openService();
	const account = await client.getAccount();
	if (!account.ok) {
		const note = `Nothing was submitted, because '${LEAST_CREDIT}' is set.`;
		const error = toNodeError(run.node, account.failure, { doing: 'read the credit', note });
		if (run.isStopped || run.option('ifCreditUnknown', 0, 'stop') !== 'goOn') throw error;
		run.hints.add(`The edits were created although the credit is unknown. ${error.message}`);
		return;
	}
	const { total } = account.value.credit;
	if (total < least) throw lowCreditError(run.node, [total, least], LEAST_CREDIT);
}
