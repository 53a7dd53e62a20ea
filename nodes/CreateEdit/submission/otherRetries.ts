import { canRemember } from '../../shared/skip/alreadyEdited';
import { lookUp } from '../../shared/skip/skipEdited';
import { notSentAgain } from './notSentAgain';
import { type SubmissionKey } from '../../shared/run/submissionLedger';
import type { NodeRun } from '../../shared/run/nodeRun';

/*
 * n8n copies the ledger of a failed execution into each retry of it. So the second retry does not know
 * what the first one submitted, and asks n8n's memory of the node. Other executions do not use the memory.
 */

const NO_MEMORY =
	'n8n cannot remember what this retry submits. Do not retry the same failed execution a second time: its edits would be charged again.';

const OPEN_IT =
	"Open that retry under Executions: its output or n8n's log has the edit ID. If it failed, retry that execution instead.";

/**
 * Begins a submission in a retry of an execution; does nothing in any other execution.
 *
 * @returns the key to remember or forget when it is certain what became of the submission
 * @throws NodeOperationError if another retry of the same execution has submitted it, or may have
 */
export async function beginInRetry(
	run: NodeRun,
	submission: SubmissionKey,
): Promise<{ readonly key: string } | undefined> {
	if (run.context.getMode() !== 'retry') return undefined;
	if (!canRemember(run.context)) {
		run.hints.add(NO_MEMORY);
		return undefined;
	}
	const { itemIndex } = submission;
	const memory = { key: run.ledger.keyInRetries(submission) };
	const other = 'another retry of the same failed execution';
	switch (await lookUp(run, itemIndex, memory)) {
		case 'new':
			return memory;
		case 'edited':
			throw notSentAgain(run, itemIndex, `${other} has created it`, { way: OPEN_IT });
		case 'uncertain':
			throw notSentAgain(run, itemIndex, `${other} may have reached the service`);
	}
}
