import {
	filesOf,
	knownEditId,
	readEditId,
	readOutputField,
	readTransfersAtOnce,
} from '../shared/form/parameters';
import { sourceNamesOf } from '../shared/form/sourceNames';
import type { NodeWork } from '../shared/run/runNode';
import { fetchResult } from './fetchResult';
import { readFinishedEdit } from './finishedEdit';
import { itemPerFile } from './download/itemFiles';
import { readResultOptions } from './readResultOptions';
import type { NodeRun } from '../shared/run/nodeRun';

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
