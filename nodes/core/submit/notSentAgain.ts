import { operationError } from '../errors/errors';
import type { NodeRun } from '../run/nodeRun';

/** The ledger ends with the execution, and the model could submit the edit again in the next one. */
export const ADVICE_FOR_AGENTS =
	'Do not create this edit again: ask the person to look at the recent edits on the service.';

const LOOK_FIRST =
	'Look at your recent edits on the service. If the edit is not there, run the workflow again with this recording only.';

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
