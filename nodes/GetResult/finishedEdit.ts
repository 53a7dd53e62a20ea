import type { IExecuteFunctions, NodeOperationError } from 'n8n-workflow';

import { type Edit, MINIMUM_POLL_INTERVAL_SECONDS, phaseOf } from '../../api/contract';
import { operationError, toNodeError } from '../../api/errors';
import { systemTime } from '../../api/time';
import { DEFAULT_POLL_RULES, type PollRules } from '../../waiting/schedule';
import { WaitLoop } from '../../waiting/waitForEdits';
import { failedDeliveryAdvice } from '../shared/deliveries';
import { FAILED_EDIT_ADVICE, PENDING_NOTE } from '../shared/editTexts';
import { openService, valueOrThrow } from '../shared/service';

/** SUCCESS may be reported a little before the result is there: it is asked for so often. */
const LOOKS_FOR_RESULT_MAXIMUM = 4;

/** The service delivers a file in EXPORT: only the end of that state is waited for. */
const AFTER_DELIVERY: PollRules = {
	...DEFAULT_POLL_RULES,
	firstPollDelayMs: 0,
	maximumWaitMs: 5 * 60_000,
};

/** Which item asks for which edit, and whether it carries the edit's delivered file. */
export interface AskedEdit {
	readonly editId: string;
	readonly itemIndex: number;
	readonly isDelivered: boolean;
}

/**
 * The edit, once it is finished. Only a delivered edit is waited for, at most 5 minutes.
 *
 * @throws NodeApiError or NodeOperationError where it is not finished, or cannot be read
 */
export async function readFinishedEdit(
	context: IExecuteFunctions,
	asked: AskedEdit,
): Promise<Edit> {
	const edit = await (asked.isDelivered
		? waitForDelivered(context, asked)
		: lookForEdit(context, asked));
	if (phaseOf(edit.status) !== 'succeeded') throw notFinished(context, edit, asked);
	return edit;
}

async function lookForEdit(
	context: IExecuteFunctions,
	{ editId, itemIndex }: AskedEdit,
): Promise<Edit> {
	const { client } = await openService(context);
	const signal = context.getExecutionCancelSignal();
	for (let looks = 1; ; looks++) {
		const doing = `read edit ${editId}`;
		const answer = await client.getEdit(editId);
		const edit = valueOrThrow(answer, context.getNode(), { itemIndex, doing });
		const isAwaited = phaseOf(edit.status) === 'succeeded' && edit.result === undefined;
		if (!isAwaited || looks >= LOOKS_FOR_RESULT_MAXIMUM) return edit;
		// Stop ends this at once, and the next look then says that the execution was stopped.
		await systemTime.sleep(MINIMUM_POLL_INTERVAL_SECONDS * 1_000, signal);
	}
}

async function waitForDelivered(
	context: IExecuteFunctions,
	{ editId, itemIndex }: AskedEdit,
): Promise<Edit> {
	const { client, rateLimits } = await openService(context);
	const loop = new WaitLoop([{ editId }], AFTER_DELIVERY, {
		time: systemTime,
		client,
		rateLimit: rateLimits.statusCalls,
		signal: context.getExecutionCancelSignal(),
	});
	const [{ edit, end, failure }] = await loop.run();
	if (edit !== undefined && end !== 'refused' && end !== 'abandoned') return edit;
	const stopped = { kind: 'stopped', request: 'GET /v2/edits/{edit_id}' } as const;
	const doing = `read edit ${editId}`;
	throw toNodeError(context.getNode(), failure ?? stopped, { itemIndex, doing });
}

function notFinished(
	context: IExecuteFunctions,
	{ status }: Edit,
	{ editId, itemIndex, isDelivered }: AskedEdit,
): NodeOperationError {
	const hasFailed = phaseOf(status) === 'failed';
	const message = hasFailed
		? `Edit ${editId} has no result: its processing ended with status ${status} [item ${itemIndex}]`
		: `Edit ${editId} is not finished yet: its status is ${status} [item ${itemIndex}]`;
	const item = context.getInputData()[itemIndex];
	const mayBeUnknown = phaseOf(status) === 'pending' ? ` ${PENDING_NOTE}` : '';
	const advice = hasFailed
		? (failedDeliveryAdvice(item) ?? FAILED_EDIT_ADVICE)
		: `Put a Wait For Edit node before this one.${mayBeUnknown}`;
	const description = isDelivered ? deliveredAdvice(hasFailed) : advice;
	return operationError(context.getNode(), message, { itemIndex, description });
}

/** The file is there, whatever became of the edit since. */
function deliveredAdvice(hasFailed: boolean): string {
	const fileIsHere =
		"The edited file is in this node's input: the service had delivered it before.";
	return hasFailed
		? `${fileIsHere} The service gives no reason, and has no texts for it.`
		: `${fileIsHere} Run this node again in a minute to get what else belongs to the edit.`;
}
