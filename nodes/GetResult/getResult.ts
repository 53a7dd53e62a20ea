import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { success } from '../../api/outcome';
import { rawEdit, summarizeEdit } from '../../formats/editSummary';
import { handleEachItem, knownEditId } from '../shared/items';
import { readEditId, readOutputField, readTransfersAtOnce } from '../shared/parameters';
import { openService } from '../shared/service';
import { isToolUse } from '../shared/toolUse';
import { deliveredFile } from './deliveredFile';
import { DOWNLOAD_KINDS, downloadAll, wantedDownloads } from './downloads';
import { extraOutputs, readExtraKinds } from './extraOutputs';
import { readFinishedEdit } from './finishedEdit';
import { checkFiles } from './missingFiles';
import { readKinds } from './readKinds';

const DOWNLOAD_FIELD = { name: 'download', label: 'Download', kinds: DOWNLOAD_KINDS };

/** Reads the finished edits of all items and fetches their files. */
export async function getResults(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const handle = async (itemIndex: number) => await getResultItem(context, itemIndex);
	const known = (itemIndex: number) => knownEditId(context, itemIndex);
	const atOnce = () => readTransfersAtOnce(context);
	return await handleEachItem(context, handle, { known, atOnce });
}

/** Reads the finished edit of one item and fetches its files; a delivered file is there already. */
async function getResultItem(
	context: IExecuteFunctions,
	itemIndex: number,
): Promise<INodeExecutionData> {
	const editId = readEditId(context, itemIndex);
	const field = readOutputField(context, itemIndex);
	const chosen = readKinds(context, itemIndex, DOWNLOAD_FIELD);
	const extraKinds = readExtraKinds(context, itemIndex);
	const delivered = deliveredFile(context.getInputData()[itemIndex], editId, chosen, field);
	const { kinds, isDelivered } = delivered;
	const { client } = await openService(context);
	const edit = await readFinishedEdit(context, { editId, itemIndex, isDelivered });
	const wanted = wantedDownloads(edit, kinds, field);
	checkFiles(context, edit, { editId, itemIndex, kinds, wanted });
	const readLinks = async () => {
		const answer = await client.getEdit(editId);
		return answer.ok ? success(wantedDownloads(answer.value, kinds, field)) : answer;
	};
	// n8n drops the files that a tool outputs, so an agent gets their links.
	const isTool = isToolUse(context);
	const task = { client, readLinks, wanted: isTool ? [] : wanted, itemIndex, editId };
	const binary = await downloadAll(context, task);
	const isSimple = context.getNodeParameter('simplify', itemIndex) as boolean;
	const extra = await extraOutputs(context, edit, extraKinds, { editId, itemIndex, field });
	const whole = isSimple ? summarizeEdit(edit, editId) : rawEdit(edit, editId);
	const links = wanted.map(({ kind, url }) => ({ file: kind, url }));
	const json = { ...whole, ...extra.json, ...(isTool && links.length > 0 && { links }) };
	const files = { ...delivered.binary, ...binary, ...extra.binary };
	const hasFiles = Object.keys(files).length > 0;
	return { json, ...(hasFiles && { binary: files }) };
}
