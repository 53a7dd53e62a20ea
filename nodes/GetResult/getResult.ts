import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { success } from '../../api/failure';
import { rawEdit, summarizeEdit } from '../../formats/summaries';
import { filesOf, sourceFileOf } from '../shared/inputItem';
import {
	knownEditId,
	readEditId,
	readOutputField,
	readTransfersAtOnce,
} from '../shared/parameters';
import { isToolUse } from '../shared/toolUse';
import type { NodeWork } from '../shared/runNode';
import { openService } from '../shared/service';
import {
	DOWNLOAD_KINDS,
	type DownloadKind,
	downloadAll,
	wantedDownloads,
	withoutRepeats,
} from './downloads';
import type { FormatKind } from './formatKinds';
import { formatOutputs, readFormatKinds } from './formatOutputs';
import { readFinishedEdit } from './finishedEdit';
import { deliveredFile, itemPerFile } from './itemFiles';
import { assertResultFiles } from './assertResultFiles';
import { readKinds } from './readKinds';

const DOWNLOAD_FIELD = { name: 'download', label: 'Download', kinds: DOWNLOAD_KINDS };

/** What an item asks for. */
interface ResultForm {
	readonly itemIndex: number;
	readonly editId: string;
	/** The output field of the edited file. */
	readonly field: string;
	readonly chosen: readonly DownloadKind[];
	readonly formatKinds: readonly FormatKind[];
}

/** Reads the finished edit of each item and fetches its files. */
export const GET_RESULT_WORK: NodeWork<ResultForm> = {
	read: readForm,
	handle: getResult,
	known: knownEditId,
	atOnce: readTransfersAtOnce,
	onRetry: 'Nothing is charged again. It fetches all files again.',
};

function readForm(context: IExecuteFunctions, [itemIndex]: readonly number[]): ResultForm {
	return {
		itemIndex,
		editId: readEditId(context, itemIndex),
		field: readOutputField(context, itemIndex),
		chosen: readKinds(context, itemIndex, DOWNLOAD_FIELD),
		formatKinds: readFormatKinds(context, itemIndex),
	};
}

/** Reads the finished edit of one item and fetches its files, except one that was delivered. */
async function getResult(
	context: IExecuteFunctions,
	{ itemIndex, editId, field, chosen, formatKinds }: ResultForm,
): Promise<INodeExecutionData[][]> {
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
	const formatTask = { editId, itemIndex, field, isOnlyFiles: isPerFile };
	const formats = await formatOutputs(context, edit, formatKinds, formatTask);
	const whole = isSimple ? summarizeEdit(edit, editId) : rawEdit(edit, editId);
	const links = wanted.map(({ kind, url }) => ({ file: kind, url }));
	const json = {
		...whole,
		...sourceFileOf(context, itemIndex),
		...formats.json,
		...(isTool && links.length > 0 && { links }),
	};
	const made = { ...delivered.binary, ...binary, ...formats.binary };
	const item = { json, ...filesOf(context, [itemIndex], made) };
	const kindOf = (name: string) =>
		formats.kinds[name] ??
		wanted.find((file) => file.field === name)?.kind ??
		(name in delivered.binary ? 'edited' : 'input');
	return [isPerFile ? itemPerFile(item, field, kindOf) : [item]];
}
