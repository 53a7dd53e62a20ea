import { parse } from 'flatted';
import type { IBinaryData, INodeExecutionData, IRunExecutionData, ITaskData } from 'n8n-workflow';

import type { Editor, Execution } from './pages/editor.mts';

/** Returns the data of an execution. */
export function dataOf({ data }: Execution): IRunExecutionData {
	return parse(data) as IRunExecutionData;
}

/** Returns a node's output items of its last run; none if it did not run. */
export function itemsOf(execution: Execution, node: string, output = 0): INodeExecutionData[] {
	const runs = dataOf(execution).resultData.runData[node] as ITaskData[] | undefined;
	return runs?.at(-1)?.data?.['main']?.[output] ?? [];
}

/** Returns a node's only output item. @throws unless there is exactly one */
export function itemOf(execution: Execution, node: string, output = 0): INodeExecutionData {
	const items = itemsOf(execution, node, output);
	const item = items.at(0);
	if (item !== undefined && items.length === 1) return item;
	throw new Error(
		`${node} output ${items.length} items in execution ${execution.id}, which ended ${failureOf(execution)}`,
	);
}

/** Returns the only one of a list. @throws unless there is exactly one */
export function onlyOne<T>(list: readonly T[]): T {
	const [first] = list;
	if (list.length === 1) return first;
	throw new Error(`There are ${list.length}: ${JSON.stringify(list)}`);
}

/** Returns a text of an item. @throws if this key has none */
export function textOf({ json }: INodeExecutionData, key: string): string {
	const value = json[key];
	if (typeof value === 'string') return value;
	throw new Error(`No text under ${key}: ${JSON.stringify(json)}`);
}

/** Returns the status an execution ended with, and n8n's error. */
export function failureOf(execution: Execution): string {
	const { error, lastNodeExecuted } = dataOf(execution).resultData;
	const said = error === undefined ? '' : `: ${error.message} ${error.description ?? ''}`;
	return `${execution.status} at ${String(lastNodeExecuted)}${said}`;
}

/** Returns the content of an item's file, from n8n's binary store or from the item itself. */
export async function fileOf(
	editor: Editor,
	{ binary }: INodeExecutionData,
	field = 'data',
): Promise<{ content: Buffer; about: IBinaryData }> {
	const about = binary?.[field];
	if (about === undefined) throw new Error(`There is no file in ${field}`);
	const { id, data } = about;
	const content = id === undefined ? Buffer.from(data, 'base64') : await editor.download(id);
	return { content, about };
}
