import { operationError } from '../../shared/errors/errors';
import type { NodeRun } from '../../shared/run/nodeRun';
import type { SubmissionKey } from '../../shared/run/submissionLedger';
import { canRemember } from '../../shared/skip/alreadyEdited';
import { lookUp } from '../../shared/skip/skipEdited';

/** The ledger ends with the execution, and the model could submit the edit again in the next one. */
export const ADVICE_FOR_AGENTS =
	'Do not create this edit again: ask the person to look at the recent edits at the service.';

const LOOK_FIRST =
	'Look at your recent edits at the service. If the edit is not there, run the workflow again with this recording only.';

/**
 * The error for an edit that was not submitted, because it was submitted before, or may have been.
 *
 * @param said what is known of that submission, a sentence
 * @param way what to do, in a workflow
 */
export function notSentAgain(
	run: NodeRun,
	itemIndex: number,
	why: string,
	{ said = '', way = LOOK_FIRST }: { said?: string; way?: string } = {},
): Error {
	const message = `The edit was not sent again: ${why} [item ${itemIndex}]`;
	const advice = run.isTool ? ADVICE_FOR_AGENTS : way;
	const parts = [said, 'A second edit would be charged, too.', advice];
	const description = parts.filter(Boolean).join(' ');
	return operationError(run.node, message, { itemIndex, description });
}

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
