import {
	filesOf,
	knownEditId,
	readEditId,
	readOutputField,
	readTransfersAtOnce,
} from '../core/form/parameters';
import { sourceNamesOf } from '../core/files/sourceNames';
import type { NodeWork } from '../core/run/runNode';
import { fetchResult } from '../core/fetch/fetchResult';
import { readFinishedEdit } from '../core/fetch/finishedEdit';
import { itemPerFile } from '../core/output/itemFiles';
import { readResultOptions } from '../core/fetch/resultOptions';
import type { NodeRun } from '../core/run/nodeRun';

/** What an item asks for. */
type ResultForm = ReturnType<typeof readForm>;

/** Reads the finished edit of each item and fetches its files. */
export function getResultWork(run: NodeRun): NodeWork<ResultForm> {
	return {
		read: ([itemIndex]) => readForm(run, itemIndex),
		handle: (form) => getResult(run, form),
		known: (itemIndex) => knownEditId(run, itemIndex),
		atOnce: readTransfersAtOnce(run),
		onRetry: 'Nothing is charged again. It fetches all files again.',
	};
}

function readForm(run: NodeRun, itemIndex: number) {
	const editId = readEditId(run, itemIndex);
	const field = readOutputField(run, itemIndex);
	return { itemIndex, editId, options: readResultOptions(run, itemIndex, field) };
}

/** Reads the finished edit of one item and fetches its files. */
async function getResult(run: NodeRun, { itemIndex, editId, options }: ResultForm) {
	const edit = await readFinishedEdit(run, { editId, itemIndex });
	const names = sourceNamesOf(run, itemIndex);
	const fetched = await fetchResult(run, { itemIndex, editId, edit, names }, options);
	const json = { ...fetched.json, ...names };
	const item = { json, ...filesOf(run, [itemIndex], fetched.binary) };
	const kindOf = (name: string) => fetched.kinds[name] ?? 'input';
	return [options.isPerFile ? itemPerFile(item, options.field, kindOf) : [item]];
}
