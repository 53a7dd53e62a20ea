import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { filesOf, sourceFileOf } from '../shared/inputItem';
import {
	knownEditId,
	readEditId,
	readOutputField,
	readTransfersAtOnce,
} from '../shared/parameters';
import type { NodeWork } from '../shared/runNode';
import { type ResultOptions, fetchResult } from './fetchResult';
import { readFinishedEdit } from './finishedEdit';
import { deliveredFile, itemPerFile } from './itemFiles';
import { readResultOptions } from './readResultOptions';

/** What an item asks for. */
interface ResultForm {
	readonly itemIndex: number;
	readonly editId: string;
	readonly options: ResultOptions;
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
	const editId = readEditId(context, itemIndex);
	const field = readOutputField(context, itemIndex);
	return { itemIndex, editId, options: readResultOptions(context, itemIndex, field) };
}

/** Reads the finished edit of one item and fetches its files, except one that was delivered. */
async function getResult(
	context: IExecuteFunctions,
	{ itemIndex, editId, options }: ResultForm,
): Promise<INodeExecutionData[][]> {
	const { downloads, field, isPerFile } = options;
	const delivered = deliveredFile(context.getInputData()[itemIndex], editId, downloads, field);
	const { kinds, isDelivered } = delivered;
	const edit = await readFinishedEdit(context, { editId, itemIndex, isDelivered });
	const source = sourceFileOf(context, itemIndex);
	const finished = { itemIndex, editId, edit, ...source };
	const edited = downloads.includes('edited') ? delivered.binary[field] : undefined;
	const asked = { ...options, downloads: kinds };
	const fetched = await fetchResult(context, finished, asked, edited);
	const made = { ...delivered.binary, ...fetched.binary };
	const json = { ...fetched.json, ...source };
	const item = { json, ...filesOf(context, [itemIndex], made) };
	const kindOf = (name: string) =>
		fetched.kinds[name] ?? (name in delivered.binary ? 'edited' : 'input');
	return [isPerFile ? itemPerFile(item, field, kindOf) : [item]];
}
