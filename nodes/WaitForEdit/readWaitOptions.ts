import type { IExecuteFunctions } from 'n8n-workflow';

import type { PollRules } from '../../waiting/schedule';
import type { SubmittedEdit } from '../../waiting/polledEdit';
import { readDetail } from '../GetResult/readKinds';
import { refuseFailed } from '../shared/carriedFailure';
import type { NodeError } from '../shared/errors';
import { asItemError, mayContinue, withWayToResume } from '../shared/failedItems';
import { givenOrInherited, jsonOf } from '../shared/parameters';
import { Pauses } from '../shared/pauses';
import { readText } from '../shared/texts';
import type { WhileWaiting } from './fields';
import { readDeletesWhenStopped, readPollRules } from './readPollRules';
import { submittedAtMsOf } from './submittedAt';
import { refuseToKeepRunning } from './whileWaiting';

export interface WaitOptions {
	/** In the order of the items, without those whose fields could not be read. */
	readonly watched: readonly WatchedItem[];
	/** Why an item's fields could not be read, by the item's index. */
	readonly unreadable: ReadonlyMap<number, NodeError>;
	readonly rules: PollRules;
	/** Whether items succeed when the time is up before their edit finishes. */
	readonly passesOn: boolean;
	readonly deletesWhenStopped: boolean;
}

/** An edit to wait for, and the item it belongs to. */
export interface WatchedItem extends SubmittedEdit {
	readonly itemIndex: number;
}

/**
 * Reads the form; options of the whole wait come from the first item.
 *
 * @throws NodeOperationError if a field cannot be used, or an edit is delivered to this execution
 */
export async function readWaitOptions(context: IExecuteFunctions): Promise<WaitOptions> {
	refuseToKeepRunning(context);
	const mode = context.getNodeParameter('whileWaiting', 0) as WhileWaiting;
	// The other modes hide the field 'When Time Is Up'.
	const canFail = mode === 'keepRunning' || mode === 'automatic';
	const passesOn = !canFail || context.getNodeParameter('whenTimeIsUp', 0, 'fail') === 'passOn';
	return {
		...(await readEdits(context)),
		rules: readPollRules(context),
		passesOn,
		deletesWhenStopped: readDeletesWhenStopped(context),
	};
}

/** The edit of each item. With On Error = Continue, an unusable field fails only its item. */
async function readEdits(
	context: IExecuteFunctions,
): Promise<Pick<WaitOptions, 'unreadable' | 'watched'>> {
	const watched: WatchedItem[] = [];
	const unreadable = new Map<number, NodeError>();
	const pauses = new Pauses();
	for (const itemIndex of context.getInputData().keys()) {
		try {
			refuseFailed(context, itemIndex);
			watched.push(readWatched(context, itemIndex));
		} catch (error) {
			const nodeError = asItemError(context, error, itemIndex);
			if (!mayContinue(context)) throw withWayToResume(context, nodeError);
			unreadable.set(itemIndex, nodeError);
		}
		await pauses.mayPause();
	}
	return { watched, unreadable };
}

function readWatched(context: IExecuteFunctions, itemIndex: number): WatchedItem {
	const { submittedAt } = jsonOf(context, itemIndex);
	const editId = readText(givenOrInherited(context, itemIndex, 'editId', 'editId')).trim();
	// An unusable choice of a model fails before the wait, not after it.
	if (context.getNodeParameter('output', itemIndex, null) !== null) readDetail(context, itemIndex);
	return { itemIndex, editId, submittedAtMs: submittedAtMsOf(submittedAt) };
}
