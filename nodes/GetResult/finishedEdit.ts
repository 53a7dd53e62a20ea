import type { NodeOperationError } from 'n8n-workflow';

import { type Edit, mayBeUnknown, phaseOf } from '../../api/contract';
import { type Result, failed, success } from '../../api/failure';
import { systemTime } from '../../api/time';
import {
	DEFAULT_POLL_RULES,
	POLL_INTERVAL_FLOOR_MS,
	type PollRules,
	pollIntervalMs,
} from '../../waiting/schedule';
import { WaitLoop } from '../../waiting/waitForEdits';
import { failedEditFacts } from '../WaitForEdit/delivery/deliveries';
import { operationError, valueOrThrow } from '../shared/errors/errors';
import { PENDING_NOTE, failedEditAdvice } from '../shared/errors/failureTexts';
import type { NodeRun } from '../shared/run/nodeRun';

/** The service may report SUCCESS a little before the result is there: look this many times. */
const LOOKS_FOR_RESULT_MAXIMUM = 4;

/** The service delivers a file in EXPORT, so only the end of that state is missing. */
const AFTER_DELIVERY: PollRules = {
	...DEFAULT_POLL_RULES,
	firstPollDelayMs: 0,
	maximumWaitMs: 5 * 60_000,
};

/** The result comes soon, so the looks for it follow as closely as the service advises. */
const LOOKS: PollRules = { ...DEFAULT_POLL_RULES, pollIntervalMs: POLL_INTERVAL_FLOOR_MS };

/** The edit of an item, and whether the item carries the edit's delivered file. */
export interface AskedEdit {
	readonly editId: string;
	readonly itemIndex: number;
	readonly isDelivered: boolean;
}

/**
 * The finished edit. Waits only for a delivered edit, at most 5 minutes.
 *
 * @throws NodeApiError or NodeOperationError if it is not finished, or cannot be read
 */
export async function readFinishedEdit(run: NodeRun, asked: AskedEdit): Promise<Edit> {
	const { editId, itemIndex } = asked;
	const { client } = await run.openService();
	for (let looks = 1; ; looks++) {
		const answer = asked.isDelivered
			? await waitForDelivered(run, editId)
			: await client.getEdit(editId);
		const doing = `read edit ${editId}`;
		const edit = valueOrThrow(answer, run.node, { itemIndex, doing });
		if (phaseOf(edit.status) !== 'succeeded') throw notFinished(run, edit, asked);
		if (edit.result !== undefined || asked.isDelivered || looks >= LOOKS_FOR_RESULT_MAXIMUM) {
			return edit;
		}
		// Stop ends this sleep at once, and the next request then fails as stopped.
		const askedMs = (edit.pollAfterSeconds ?? 0) * 1_000;
		await systemTime.sleep(pollIntervalMs(LOOKS, edit.status, askedMs), run.stop);
	}
}

async function waitForDelivered(run: NodeRun, editId: string): Promise<Result<Edit>> {
	const { client, rateLimits } = await run.openService();
	const [{ edit, end, failure }] = await new WaitLoop([{ editId }], AFTER_DELIVERY, {
		time: systemTime,
		client,
		rateLimit: rateLimits.statusCalls,
		signal: run.stop,
	}).run();
	if (edit !== undefined && end !== 'refused' && end !== 'abandoned') return success(edit);
	return failed(failure ?? { kind: 'stopped', request: 'GET /v2/edits/{edit_id}' });
}

function notFinished(
	run: NodeRun,
	{ status, failureReason }: Edit,
	{ editId, itemIndex, isDelivered }: AskedEdit,
): NodeOperationError {
	const hasFailed = phaseOf(status) === 'failed';
	const message = hasFailed
		? `Edit ${editId} has no result: its processing ended with status ${status} [item ${itemIndex}]`
		: `Edit ${editId} is not finished yet: its status is ${status} [item ${itemIndex}]`;
	const item = run.items[itemIndex];
	const pendingNote = mayBeUnknown(status) ? ` ${PENDING_NOTE}` : '';
	const advice = hasFailed
		? failedEditAdvice(failureReason, failedEditFacts(item))
		: `Put a Wait For Edit node before this one.${pendingNote}`;
	const description = isDelivered ? deliveredAdvice(hasFailed, failureReason) : advice;
	return operationError(run.node, message, { itemIndex, description });
}

/** The delivered file is there even if the edit failed afterwards. */
function deliveredAdvice(hasFailed: boolean, reason?: string): string {
	const fileIsHere =
		"The service has already delivered the edited file: it is in this node's input.";
	const noTexts =
		'The service has no texts for this edit. To get texts, create a new edit, which is charged.';
	return hasFailed
		? `${fileIsHere} ${failedEditAdvice(reason, { more: noTexts })}`
		: `${fileIsHere} Run this node again in a minute to get the rest of the edit.`;
}
