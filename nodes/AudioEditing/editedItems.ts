import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { type FinishedEdit, type ResultOptions, fetchResult } from '../GetResult/fetchResult';
import { itemPerFile } from '../GetResult/download/itemFiles';
import { filesOf, passedJson } from '../shared/form/inputItem';
import type { NodeRun } from '../shared/run/nodeRun';

/** A finished edit and the recording it is of. */
export interface FinishedRecording extends FinishedEdit {
	readonly sourceFileName: string;
}

/** What an agent's model reads of an edit. */
const FOR_AGENTS = ['status', 'fileName', 'edits', 'title', 'summary', 'formats', 'links'];

/**
 * Fetches the files of a finished edit. Returns the item with the files, and with the json of the input
 * item.
 *
 * @throws NodeApiError or NodeOperationError if a file is missing or cannot be fetched
 */
export async function editedItems(
	run: NodeRun,
	finished: FinishedRecording,
	options: ResultOptions,
): Promise<INodeExecutionData[]> {
	const { itemIndex, editId, sourceFileName } = finished;
	const { json: edit, binary, kinds } = await fetchResult(run, finished, options);
	const ids = { editId, ...(sourceFileName && { sourceFileName }), finished: true };
	if (run.isTool) {
		// Raw or selected fields are all for the model.
		const isShort = run.parameter('output', itemIndex, 'simplified') === 'simplified';
		const shown = Object.entries(edit).filter(([key]) => !isShort || FOR_AGENTS.includes(key));
		return [{ json: { ...(Object.fromEntries(shown) as IDataObject), ...ids } }];
	}
	const json = { ...passedJson(run, itemIndex), ...ids, edit };
	const item = { json, ...filesOf(run, [itemIndex], binary) };
	if (!options.isPerFile) return [item];
	return itemPerFile(item, options.field, (field) => kinds[field] ?? 'input');
}
