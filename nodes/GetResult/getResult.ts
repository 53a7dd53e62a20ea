import type { IExecuteFunctions, INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import type { Client } from '../../api/client';
import { type Edit, MINIMUM_POLL_INTERVAL_SECONDS, phaseOf } from '../../api/contract';
import { operationError } from '../../api/errors';
import { success } from '../../api/outcome';
import { systemTime } from '../../api/time';
import { rawEdit, summarizeEdit } from '../../formats/summaries';
import { FAILED_EDIT_ADVICE, PENDING_NOTE } from '../shared/editTexts';
import { handleEachItem, knownEditId } from '../shared/items';
import { filesOf, sourceFileOf } from '../shared/inputItem';
import { readEditId, readOutputField, readTransfersAtOnce } from '../shared/parameters';
import { RETRY_READS_AGAIN } from '../shared/resuming';
import { openService, valueOrThrow } from '../shared/service';
import { isToolUse } from '../shared/isToolUse';
import { DOWNLOAD_KINDS, downloadAll, wantedDownloads, withoutRepeats } from './downloads';
import { extraOutputs, readExtraKinds } from './extraOutputs';
import { itemPerFile } from './itemPerFile';
import { checkFiles } from './missingFiles';
import { readKinds } from './readKinds';

/** SUCCESS may be reported a little before the result is there: it is asked for so often. */
const LOOKS_FOR_RESULT_MAXIMUM = 4;

const DOWNLOAD_FIELD = { name: 'download', label: 'Download', kinds: DOWNLOAD_KINDS };

/** Reads the finished edits of all items and fetches their files. */
export async function getResults(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const handle = async (itemIndex: number) => await getResultItem(context, itemIndex);
	const known = (itemIndex: number) => knownEditId(context, itemIndex);
	const atOnce = () => readTransfersAtOnce(context);
	const onRetry = `${RETRY_READS_AGAIN} It fetches all files again.`;
	return await handleEachItem(context, handle, { known, atOnce, onRetry });
}

/** Reads the finished edit of one item and fetches its files. */
async function getResultItem(
	context: IExecuteFunctions,
	itemIndex: number,
): Promise<INodeExecutionData[]> {
	const editId = readEditId(context, itemIndex);
	const field = readOutputField(context, itemIndex);
	const kinds = readKinds(context, itemIndex, DOWNLOAD_FIELD);
	const extraKinds = readExtraKinds(context, itemIndex);
	const { client } = await openService(context);
	const edit = await readFinishedEdit(context, client, editId, itemIndex);
	const named = wantedDownloads(edit, kinds, field);
	checkFiles(context, edit, { editId, itemIndex, kinds, wanted: named });
	const wanted = withoutRepeats(context, named);
	const readLinks = async () => {
		const answer = await client.getEdit(editId);
		return answer.ok ? success(wantedDownloads(answer.value, kinds, field)) : answer;
	};
	// n8n drops the files that a tool outputs, so an agent gets their links.
	const isTool = isToolUse(context);
	const task = { client, readLinks, wanted: isTool ? [] : wanted, itemIndex, editId };
	const binary = await downloadAll(context, task);
	const isSimple = context.getNodeParameter('simplify', itemIndex) as boolean;
	const isPerFile =
		!isTool && context.getNodeParameter('options.oneItemPerFile', itemIndex, false) === true;
	const extraTask = { editId, itemIndex, field, isOnlyFiles: isPerFile };
	const extra = await extraOutputs(context, edit, extraKinds, extraTask);
	const whole = isSimple ? summarizeEdit(edit, editId) : rawEdit(edit, editId);
	const links = wanted.map(({ kind, url }) => ({ file: kind, url }));
	const json = {
		...whole,
		...sourceFileOf(context, itemIndex),
		...extra.json,
		...(isTool && links.length > 0 && { links }),
	};
	const item = { json, ...filesOf(context, [itemIndex], { ...binary, ...extra.binary }) };
	const kindOf = (name: string) =>
		extra.kinds[name] ?? wanted.find((file) => file.field === name)?.kind ?? 'input';
	return isPerFile ? itemPerFile(item, field, kindOf) : [item];
}

async function readFinishedEdit(
	context: IExecuteFunctions,
	client: Client,
	editId: string,
	itemIndex: number,
): Promise<Edit> {
	const signal = context.getExecutionCancelSignal();
	for (let looks = 1; ; looks++) {
		const doing = `read edit ${editId}`;
		const answer = await client.getEdit(editId);
		const edit = valueOrThrow(answer, context.getNode(), { itemIndex, doing });
		if (phaseOf(edit.status) !== 'succeeded') throw notFinished(context, edit, editId, itemIndex);
		if (edit.result !== undefined || looks >= LOOKS_FOR_RESULT_MAXIMUM) return edit;
		// Stop ends this at once, and the next look then says that the execution was stopped.
		await systemTime.sleep(MINIMUM_POLL_INTERVAL_SECONDS * 1_000, signal);
	}
}

function notFinished(
	context: IExecuteFunctions,
	{ status }: Edit,
	editId: string,
	itemIndex: number,
): NodeOperationError {
	if (phaseOf(status) === 'failed') {
		return operationError(
			context.getNode(),
			`Edit ${editId} has no result: its processing ended with status ${status} [item ${itemIndex}]`,
			{
				itemIndex,
				description: FAILED_EDIT_ADVICE,
			},
		);
	}
	const mayBeUnknown = phaseOf(status) === 'pending' ? ` ${PENDING_NOTE}` : '';
	return operationError(
		context.getNode(),
		`Edit ${editId} is not finished yet: its status is ${status} [item ${itemIndex}]`,
		{
			itemIndex,
			description: `Put a Wait For Edit node before this one.${mayBeUnknown}`,
		},
	);
}
