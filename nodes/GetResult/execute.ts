import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type ResultOptions, fetchResult, readResultOptions } from '../core/fetch/fetchResult';
import { readFinishedEdit } from '../core/fetch/finishedEdit';
import { sourceNamesOf } from '../core/files/sourceNames';
import { filesOf, knownEditId, readEditId, transfersAtOnce } from '../core/form/parameters';
import { readForm } from '../core/form/readForm';
import type { Form } from '../core/form/values';
import { firstFields, withFirst } from '../core/output/firstFields';
import { itemPerFile } from '../core/output/itemFiles';
import { NodeRun } from '../core/run/nodeRun';
import { Outcomes } from '../core/items/outcomes';
import { readItemForm } from '../core/items/readItemForm';
import { Slots } from '../core/run/slots';
import { GET_RESULT_FIELDS } from './fields';

/** What an item asks for. */
interface ResultRequest {
	readonly itemIndex: number;
	readonly editId: string;
	readonly options: ResultOptions;
}

/** Reads the finished edit of each item and fetches its files. */
export async function getResults(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const run = new NodeRun(context);
	const onRetry = 'Nothing is charged again. It fetches all files again.';
	const outcomes = new Outcomes(run, { onRetry, areEdits: true });
	if (run.items.length === 0) return outcomes.outputs();
	try {
		const settings = readForm(context, GET_RESULT_FIELDS, 0, run.isTool, 'allItems');
		const transfers = new Slots(transfersAtOnce(run, settings));
		const requests = await readRequests(run, outcomes);
		await Promise.all(
			requests.map(async (request) => await getItem(run, outcomes, transfers, request)),
		);
		outcomes.assertGoesOn();
		return outcomes.outputs();
	} catch (error) {
		return outcomes.ofAll(error);
	} finally {
		outcomes.show();
	}
}

async function readRequests(run: NodeRun, outcomes: Outcomes): Promise<ResultRequest[]> {
	const requests: ResultRequest[] = [];
	for await (const [itemIndex] of outcomes.itemsToRead()) {
		let form: Form | undefined;
		try {
			form = readItemForm(run, GET_RESULT_FIELDS, [itemIndex]);
			const editId = readEditId(run, form);
			const { binaryPropertyName, download } = form.fields;
			const options = readResultOptions(run, form, binaryPropertyName, download);
			requests.push({ itemIndex, editId, options });
		} catch (error) {
			outcomes.failed([itemIndex], error, knownEditId(run, itemIndex, form));
		}
	}
	outcomes.assertGoesOn();
	return requests;
}

async function getItem(
	run: NodeRun,
	outcomes: Outcomes,
	transfers: Slots,
	request: ResultRequest,
): Promise<void> {
	const { itemIndex, editId } = request;
	await transfers.take();
	try {
		if (!outcomes.isOver) outcomes.done([itemIndex], await getResult(run, request));
	} catch (error) {
		outcomes.failed([itemIndex], error, { editId });
	} finally {
		transfers.giveBack();
	}
}

/** Reads the finished edit of one item and fetches its files. */
async function getResult(
	run: NodeRun,
	{ itemIndex, editId, options }: ResultRequest,
): Promise<INodeExecutionData[]> {
	const edit = await readFinishedEdit(run, { editId, itemIndex });
	const names = sourceNamesOf(run, itemIndex);
	const fetched = await fetchResult(
		run,
		{ itemIndex, itemIndices: [itemIndex], editId, edit, names },
		options,
	);
	const { editedFileName } = fetched;
	const first = firstFields({ editId, names, editedFileName, isFinished: true });
	const json = withFirst(first, fetched.json);
	const keptOf = options.keepsInputFiles ? [itemIndex] : [];
	const item = { json, ...filesOf(run, keptOf, fetched.binary) };
	return options.isPerFile ? itemPerFile(item, options.field, fetched.kinds) : [item];
}
