import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { describeEdit } from '../../formats/summaries';
import type { EndedWait, SubmittedEdit, WaitReport } from '../../waiting/waitReport';
import { readDetail } from '../core/fetch/resultOptions';
import type { NodeError } from '../core/errors/errors';
import { failedEditFacts } from '../core/errors/failedEdit';
import { filesOf, jsonOf, knownEditId, readEditId } from '../core/form/parameters';
import type { NodeRun } from '../core/run/nodeRun';
import type { EndingNote, NodeWork } from '../core/run/runNode';
import { sourceNamesOf } from '../core/files/sourceNames';
import { EditWait, firstPollAsked, readWhenTimeIsUp, submittedAtMsOf } from '../core/wait/editWait';
import { noteOnOthers, waitError } from '../core/wait/waitError';

/** An edit to wait for, and the item it belongs to. */
interface WatchedItem extends SubmittedEdit {
	readonly itemIndex: number;
}

/** Waits for the edits of all items together. */
export function waitWork(run: NodeRun): NodeWork<WatchedItem> {
	const whenTimeIsUp = readWhenTimeIsUp(run);
	const wait = new EditWait(run, { passesOn: whenTimeIsUp !== 'fail' });
	// An agent's model reads the first output only.
	const handsOver = whenTimeIsUp === 'secondOutput' && !run.isTool;
	return {
		read: ([itemIndex]) => readWatched(run, itemIndex),
		handle: async (watched) => {
			run.progress?.moved(watched.itemIndex, 'on the service');
			const report = await wait.until(watched);
			if (!wait.isPassedOn(report)) throw errorOf(run, report, watched.itemIndex);
			const item = itemOf(run, report, watched.itemIndex);
			const isSecond = report.end === 'stillRunning' && handsOver;
			return isSecond ? [[], [item]] : [[item]];
		},
		known: (itemIndex, watched) => ({
			...knownEditId(run, itemIndex),
			...knownOf(watched && wait.endedWaitOf(watched.editId)),
		}),
		atOnce: run.items.length,
		endingNote: (itemIndex) => noteFor(run, wait, itemIndex),
		progress: ['finished', 'edits'],
		finish: async () => await wait.finish(),
	};
}

function readWatched(run: NodeRun, itemIndex: number): WatchedItem {
	const { submittedAt, firstPollAfterSeconds } = jsonOf(run, itemIndex);
	const editId = readEditId(run, itemIndex);
	// An unusable choice of a model fails before the wait, not after it.
	if (run.parameter('output', itemIndex, null) !== null) readDetail(run, itemIndex);
	run.noteRecording(editId, sourceNamesOf(run, itemIndex).sourceFileName);
	const submittedAtMs = submittedAtMsOf(submittedAt);
	return { itemIndex, editId, submittedAtMs, ...firstPollAsked(firstPollAfterSeconds) };
}

function errorOf(run: NodeRun, report: WaitReport, itemIndex: number): NodeError {
	return waitError(run.node, report, itemIndex, failedEditFacts(run.items[itemIndex]));
}

/** The last status of the edits of other items. */
function noteFor(run: NodeRun, wait: EditWait, itemIndex: number): EndingNote {
	const { editId } = knownEditId(run, itemIndex);
	const others = wait.endedWaits().filter((report) => report.editId !== editId);
	return noteOnOthers(run, others);
}

function knownOf(ended: EndedWait | undefined): IDataObject {
	if (ended === undefined) return {};
	const { editId, history } = ended;
	const reason = history.at(-1)?.reason;
	return { editId, ...(reason && { failureReason: reason }), ...progressOf(ended) };
}

/** The fields of a simplified edit without its long texts, which Get Result returns. */
const WITHOUT_TEXTS = ['status', 'fileName', 'downloadUrl', 'statistics'];

function itemOf(run: NodeRun, report: WaitReport, itemIndex: number): INodeExecutionData {
	const { edit, editId, end } = report;
	const asked = readDetail(run, itemIndex);
	const detail = asked === 'simplified' ? WITHOUT_TEXTS : asked;
	const described = edit && describeEdit(edit, editId, detail);
	// In a loop, the item comes back, and its first poll still counts from the submission.
	const { submittedAt } = jsonOf(run, itemIndex);
	const isFinished = end === 'succeeded';
	const json = {
		editId,
		...described,
		...sourceNamesOf(run, itemIndex),
		finished: isFinished,
		...(!isFinished && submittedAt !== undefined && { submittedAt }),
		...progressOf(report),
	};
	return { json, ...filesOf(run, [itemIndex]) };
}

function progressOf({ history, waitedSeconds, polls }: EndedWait): IDataObject {
	const status = history.at(-1)?.status;
	return {
		...(status && { status }),
		waitedSeconds,
		polls,
		history: history.map((change) => ({ ...change }) as IDataObject),
	};
}
