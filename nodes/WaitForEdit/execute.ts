import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { reviewUrlIn } from '../../api/contract';
import { type Detail, describeEdit, summarizeEdit } from '../core/fetch/editJson';
import type { EndedWait, WaitReport } from '../../waiting/waitReport';
import { failedEditFacts } from '../core/fetch/failedEdit';
import { detailIn } from '../core/fetch/fetchResult';
import { sourceNamesOf } from '../core/files/sourceNames';
import { filesOf, knownEditId, readEditId } from '../core/form/parameters';
import { readForm } from '../core/form/readForm';
import type { Form } from '../core/form/values';
import { NodeRun } from '../core/run/nodeRun';
import { type Ending, type EndingNote, Outcomes } from '../core/items/outcomes';
import { readItemForm } from '../core/items/readItemForm';
import { firstFields, withFirst } from '../core/output/firstFields';
import { EditWait, type WatchedEdit } from '../core/wait/editWait';
import { noteOnOthers, waitError } from '../core/wait/waitError';
import { OUTPUTS, WAIT_FOR_EDIT_FIELDS } from './fields';

type EditOutcomes = Outcomes<(typeof OUTPUTS)[number]['name']>;

/** An edit to wait for, and the item it belongs to. */
interface WatchedItem extends WatchedEdit {
	readonly itemIndex: number;
	readonly detail: Detail;
	readonly keepsInputFiles: boolean;
}

/** Waits for the edits of all items together. */
export async function waitForEdits(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const run = new NodeRun(context);
	const outcomes = new Outcomes(run, {
		outputs: OUTPUTS,
		progress: ['finished', 'edits'],
		areEdits: true,
	});
	if (run.items.length === 0) return outcomes.outputs();
	let wait: EditWait | undefined;
	try {
		const settings = readForm(context, WAIT_FOR_EDIT_FIELDS, 0, run.isTool, 'allItems');
		const ofRun = (wait = new EditWait(run, settings));
		const watched = await readWatched(run, outcomes);
		await Promise.all(watched.map(async (item) => await waitForItem(run, outcomes, ofRun, item)));
		const { ending } = outcomes;
		outcomes.assertGoesOn(ending && noteFor(run, ofRun, watched, ending));
		return outcomes.outputs();
	} catch (error) {
		return outcomes.ofAll(error);
	} finally {
		outcomes.show();
		await wait?.finish();
	}
}

async function readWatched(run: NodeRun, outcomes: EditOutcomes): Promise<WatchedItem[]> {
	const watched: WatchedItem[] = [];
	for await (const [itemIndex] of outcomes.itemsToRead()) {
		let form: Form | undefined;
		try {
			form = readItemForm(run, WAIT_FOR_EDIT_FIELDS, [itemIndex]);
			const { submittedAt, firstPollAfterSeconds } = run.items[itemIndex].json;
			const editId = readEditId(run, form);
			run.noteRecording(editId, sourceNamesOf(run, itemIndex).sourceFileName);
			watched.push({
				itemIndex,
				editId,
				submittedAt,
				firstPollAfterSeconds,
				detail: detailIn(form),
				keepsInputFiles: form.options.keepInputFiles === true,
			});
		} catch (error) {
			outcomes.failed([itemIndex], error, knownEditId(run, itemIndex, form));
		}
	}
	outcomes.assertGoesOn();
	return watched;
}

async function waitForItem(
	run: NodeRun,
	outcomes: EditOutcomes,
	wait: EditWait,
	watched: WatchedItem,
): Promise<void> {
	const { itemIndex, editId } = watched;
	try {
		run.progress?.moved(itemIndex, 'on the service');
		const report = await wait.until(watched);
		if (!wait.isPassedOn(report)) {
			throw waitError(run.node, report, itemIndex, failedEditFacts(run.items[itemIndex]));
		}
		const output = report.end === 'stillRunning' ? 'stillRunning' : 'finished';
		outcomes.done([itemIndex], [itemOf(run, report, watched)], output);
	} catch (error) {
		outcomes.failed([itemIndex], error, { editId, ...knownOf(wait.endedWaitOf(editId)) });
	}
}

/** The last status of the edits of other items than the one whose failure ends the node. */
function noteFor(
	run: NodeRun,
	wait: EditWait,
	watched: readonly WatchedItem[],
	ending: Ending,
): EndingNote {
	const own = watched.find(({ itemIndex }) => itemIndex === ending.itemIndex);
	const others = wait.endedWaits().filter(({ editId }) => editId !== own?.editId);
	return noteOnOthers(run, others);
}

function knownOf(ended: EndedWait | undefined): IDataObject {
	if (ended === undefined) return {};
	const { editId, history } = ended;
	const reason = history.at(-1)?.reason;
	return { editId, ...(reason && { failureReason: reason }), ...progressOf(ended) };
}

/** The long texts of an edit, which Get Result returns. */
const TEXTS = ['title', 'summary', 'chapters', 'transcript'];

const WITHOUT_TEXTS = Object.keys(summarizeEdit(undefined)).filter((name) => !TEXTS.includes(name));

function itemOf(
	run: NodeRun,
	report: WaitReport,
	{ itemIndex, submittedAt, detail: asked, keepsInputFiles }: WatchedItem,
): INodeExecutionData {
	const { edit, editId, end } = report;
	const detail = asked === 'simplified' ? WITHOUT_TEXTS : asked;
	// In a loop, the item comes back, and its first poll still counts from the submission.
	const isFinished = end === 'succeeded';
	const first = firstFields({
		editId,
		names: sourceNamesOf(run, itemIndex),
		editedFileName: edit?.result?.filename,
		isFinished,
		reviewUrl: isFinished ? undefined : edit && reviewUrlIn(edit),
	});
	const json = withFirst(first, {
		...describeEdit(edit, editId, detail),
		...(!isFinished && submittedAt !== undefined && { submittedAt }),
		...progressOf(report),
	});
	return { json, ...filesOf(run, keepsInputFiles ? [itemIndex] : []) };
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
