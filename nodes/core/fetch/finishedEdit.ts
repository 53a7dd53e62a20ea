import type { NodeOperationError } from 'n8n-workflow';

import { type Edit, mayBeUnknown, phaseOf } from '../../../api/contract';
import { systemTime } from '../../../api/time';
import {
	DEFAULT_POLL_RULES,
	MIN_POLL_INTERVAL_MS,
	type PollRules,
	pollIntervalMs,
} from '../../../waiting/schedule';
import { ofEdit, operationError, valueOrThrow, withoutId } from '../errors/errors';
import { failedEditFacts } from './failedEdit';
import { PENDING_NOTE, failedEditAdvice, failedEditText } from '../errors/failureTexts';
import type { SourceNames } from '../files/sourceNames';
import type { NodeRun } from '../run/nodeRun';

/** The service may report SUCCESS a little before the result is there: look this many times. */
const MAX_LOOKS_FOR_RESULT = 4;

/** The result comes soon, so the looks for it follow as closely as the service advises. */
const LOOKS: PollRules = { ...DEFAULT_POLL_RULES, pollIntervalMs: MIN_POLL_INTERVAL_MS };

/** A finished edit, and the item it belongs to. */
export interface FinishedEdit {
	/** The first of its items. */
	readonly itemIndex: number;
	/** All of them: its tracks, if there are several. */
	readonly itemIndices: readonly number[];
	readonly editId: string;
	readonly edit: Edit;
	/** As far as they are known. */
	readonly names: SourceNames;
	/** The length of the recording in seconds, if it was read from its file. */
	readonly durationBeforeSeconds?: number;
	/** Whether it is known to have asked for a transcript. */
	readonly isTranscribed?: boolean;
}

/** The edit that an item asks for. */
export interface AskedEdit {
	readonly editId: string;
	readonly itemIndex: number;
}

/**
 * The finished edit.
 *
 * @throws NodeApiError or NodeOperationError if it is not finished, or cannot be read
 */
export async function readFinishedEdit(run: NodeRun, asked: AskedEdit): Promise<Edit> {
	const { editId, itemIndex } = asked;
	const { client } = await run.openService();
	for (let looks = 1; ; looks++) {
		const context = { itemIndex, doing: 'read the edit', editId };
		const edit = valueOrThrow(await client.getEdit(editId), run.node, context);
		if (phaseOf(edit.status) !== 'succeeded') throw notFinished(run, edit, asked);
		if (edit.result !== undefined || looks >= MAX_LOOKS_FOR_RESULT) return edit;
		// Stop ends this sleep at once, and the next request then fails as stopped.
		const askedMs = (edit.pollAfterSeconds ?? 0) * 1_000;
		await systemTime.sleep(pollIntervalMs(LOOKS, edit.status, askedMs), run.stop);
	}
}

function notFinished(
	run: NodeRun,
	{ status, failureReason }: Edit,
	{ editId, itemIndex }: AskedEdit,
): NodeOperationError {
	const hasFailed = phaseOf(status) === 'failed';
	const reason = failureReason && withoutId(failureReason, editId);
	const said = hasFailed
		? failedEditText(reason)
		: `The edit is not finished yet: its status is ${status}`;
	const message = `${said}${ofEdit(editId)} [item ${itemIndex}]`;
	const item = run.items[itemIndex];
	const pendingNote = mayBeUnknown(status) ? ` ${PENDING_NOTE}` : '';
	const description = hasFailed
		? failedEditAdvice(reason, failedEditFacts(item))
		: `Put an Audio Editing Wait For Edit node before this one.${pendingNote}`;
	return operationError(run.node, message, { itemIndex, description });
}
