import { parse } from 'flatted';
import type { IBinaryData, INodeExecutionData, IRunExecutionData, ITaskData } from 'n8n-workflow';

import type { Editor, Execution } from './editor.mts';

/** What went through an execution. */
export function dataOf({ data }: Execution): IRunExecutionData {
	return parse(data) as IRunExecutionData;
}

/** The items that a node gave out in its last run; none when it did not run. */
export function itemsOf(execution: Execution, node: string, output = 0): INodeExecutionData[] {
	const runs = dataOf(execution).resultData.runData[node] as ITaskData[] | undefined;
	return runs?.at(-1)?.data?.['main']?.[output] ?? [];
}

/** The one item that a node gave out. @throws when there is not exactly one */
export function itemOf(execution: Execution, node: string, output = 0): INodeExecutionData {
	const items = itemsOf(execution, node, output);
	const item = items.at(0);
	if (item !== undefined && items.length === 1) return item;
	throw new Error(
		`${node} gave out ${items.length} items in execution ${execution.id}, which ended ${failureOf(execution)}`,
	);
}

/** A text of an item. @throws when it has none under this key */
export function textOf({ json }: INodeExecutionData, key: string): string {
	const value = json[key];
	if (typeof value === 'string') return value;
	throw new Error(`No text under ${key}: ${JSON.stringify(json)}`);
}

/** With which status an execution ended, and what n8n says of it. */
export function failureOf(execution: Execution): string {
	const { error, lastNodeExecuted } = dataOf(execution).resultData;
	const said = error === undefined ? '' : `: ${error.message} ${error.description ?? ''}`;
	return `${execution.status} at ${String(lastNodeExecuted)}${said}`;
}

/** The content of a file of an item, out of n8n's binary store or out of the item itself. */
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
