import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { success } from '../../api/failure';
import { rawEdit, summarizeEdit } from '../../formats/summaries';
import { handleEachItem, knownEditId } from '../shared/items';
import { filesOf, sourceFileOf } from '../shared/inputItem';
import { readEditId, readOutputField, readTransfersAtOnce } from '../shared/parameters';
import { isToolUse } from '../shared/isToolUse';
import { RETRY_READS_AGAIN } from '../shared/resuming';
import { openService } from '../shared/service';
import { DOWNLOAD_KINDS, downloadAll, wantedDownloads, withoutRepeats } from './downloads';
import { formatOutputs, readFormatKinds } from './formatOutputs';
import { readFinishedEdit } from './finishedEdit';
import { deliveredFile, itemPerFile } from './itemFiles';
import { assertResultFiles } from './assertResultFiles';
import { readKinds } from './readKinds';

const DOWNLOAD_FIELD = { name: 'download', label: 'Download', kinds: DOWNLOAD_KINDS };

/** Reads the finished edits of all items and fetches their files. */
export async function getResults(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const handle = async (itemIndex: number) => await getResultItem(context, itemIndex);
	const known = (itemIndex: number) => knownEditId(context, itemIndex);
	const atOnce = () => readTransfersAtOnce(context);
	const onRetry = `${RETRY_READS_AGAIN} It fetches all files again.`;
	return await handleEachItem(context, handle, { known, atOnce, onRetry });
}

/** Reads the finished edit of one item and fetches its files; a delivered file is there already. */
async function getResultItem(
	context: IExecuteFunctions,
	itemIndex: number,
): Promise<INodeExecutionData[]> {
	const editId = readEditId(context, itemIndex);
	const field = readOutputField(context, itemIndex);
	const chosen = readKinds(context, itemIndex, DOWNLOAD_FIELD);
	const extraKinds = readFormatKinds(context, itemIndex);
	const delivered = deliveredFile(context.getInputData()[itemIndex], editId, chosen, field);
	const { kinds, isDelivered } = delivered;
	const { client } = await openService(context);
	const edit = await readFinishedEdit(context, { editId, itemIndex, isDelivered });
	const named = wantedDownloads(edit, kinds, field);
	assertResultFiles(context, edit, { editId, itemIndex, kinds, wanted: named });
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
	const extra = await formatOutputs(context, edit, extraKinds, extraTask);
	const whole = isSimple ? summarizeEdit(edit, editId) : rawEdit(edit, editId);
	const links = wanted.map(({ kind, url }) => ({ file: kind, url }));
	const json = {
		...whole,
		...sourceFileOf(context, itemIndex),
		...extra.json,
		...(isTool && links.length > 0 && { links }),
	};
	const made = { ...delivered.binary, ...binary, ...extra.binary };
	const item = { json, ...filesOf(context, [itemIndex], made) };
	const kindOf = (name: string) =>
		extra.kinds[name] ??
		wanted.find((file) => file.field === name)?.kind ??
		(name in delivered.binary ? 'edited' : 'input');
	return isPerFile ? itemPerFile(item, field, kindOf) : [item];
}
