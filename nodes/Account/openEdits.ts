import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../api/client';
import { isRecord } from '../../api/contract/tolerance';
import { pointedTo } from '../core/submit/submitEdit';
import { operationError, valueOrThrow } from '../core/errors/errors';
import { readText } from '../core/texts';
import type { NodeRun } from '../core/run/nodeRun';

/** Whether an output item says that nothing of its edit is left to fetch, by the node that it comes from. */
const CLOSES: Readonly<Record<string, (json: IDataObject) => boolean>> = {
	audioEditing: ({ finished }) => finished === true,
	delete: ({ deleted }) => deleted === true,
	getResult: ({ failure, error }) => failure === undefined && error === undefined,
};

/**
 * Returns the edits that executions submitted and did not fetch, each once. The executions are the items,
 * as n8n's own node 'n8n' returns them with their details.
 *
 * @throws NodeOperationError for an item that is not an execution with its details
 */
export async function openEdits(run: NodeRun, client: Client): Promise<IDataObject[]> {
	const executions = run.items.map((_item, itemIndex) => executionOf(run, itemIndex));
	const closed = new Set(executions.flatMap(closedIn));
	const open = new Map<string, IDataObject>();
	const fromCustomData = executions.flatMap((execution) => pointedIn(run, execution));
	// A retry of an execution has a copy of its ledger, and custom data names some of it again.
	for (const edit of [...executions.flatMap(submittedIn), ...fromCustomData]) {
		const key = readText(edit.editId) || JSON.stringify(edit);
		if (!closed.has(key) && !open.has(key)) open.set(key, edit);
	}
	const edits: IDataObject[] = [];
	for (const edit of open.values()) edits.push(await withStatus(run, client, edit));
	return edits;
}

/** What custom data points to: after Stop, n8n has nothing else of an execution. */
function pointedIn(run: NodeRun, { id, customData, data }: IDataObject): IDataObject[] {
	const { count, editIds } = pointedTo(objectAt(customData));
	const hasLedger = 'executionData' in objectAt(data);
	if (count > editIds.length && !hasLedger) {
		const message = `created ${count} edits, but n8n kept the IDs of only ${editIds.length} after Stop. n8n's log names every edit.`;
		run.hints.add(message, `execution ${readText(id)}`);
	}
	return editIds.map((editId) => ({ editId, charged: 'yes', executionId: readText(id) }));
}

/** Adds how far the service is. The status is also PENDING for an edit that it no longer knows. */
async function withStatus(run: NodeRun, client: Client, edit: IDataObject): Promise<IDataObject> {
	const { editId } = edit;
	if (editId === undefined) return { ...edit, status: null };
	const context = { doing: 'read the edit', editId: readText(editId) };
	const { status } = valueOrThrow(await client.getEdit(editId), run.node, context);
	return { ...edit, status };
}

function executionOf(run: NodeRun, itemIndex: number): IDataObject {
	const execution = run.items[itemIndex].json;
	if (isRecord(execution.data)) return execution;
	const message = `The item is not an n8n execution with its details [item ${itemIndex}]`;
	const description =
		"Put n8n's own node 'n8n' before this one: Resource Execution, Operation Get Many, and switch on its option Include Execution Details.";
	throw operationError(run.node, message, { itemIndex, description });
}

/** What the ledgers of an execution have; see `SubmissionLedger`. While it is uncertain, it has no ID. */
function submittedIn({ id, data }: IDataObject): IDataObject[] {
	const contexts = objectAt(data, 'executionData', 'contextData');
	return Object.entries(contexts).flatMap(([name, context]) =>
		Object.values(objectAt(context, 'submissions')).flatMap((entry) => {
			const { state, editId, submittedAt, sourceFileName, sent } = objectAt(entry, 'submission');
			if (state !== 'accepted' && state !== 'uncertain') return [];
			const fileName = sourceFileName ?? objectAt(sent).sourceFileName;
			const isCharged = state === 'accepted' && editId !== undefined;
			return [
				{
					...(isCharged && { editId: readText(editId), submittedAt: readText(submittedAt) }),
					charged: isCharged ? 'yes' : 'uncertain',
					...(fileName !== undefined && { sourceFileName: readText(fileName) }),
					executionId: readText(id),
					node: name.replace(/^node:/, ''),
				},
			];
		}),
	);
}

/** The edits that the outputs of an execution close. */
function closedIn({ data, workflowData }: IDataObject): string[] {
	const { nodes } = objectAt(workflowData);
	const types = new Map(
		(Array.isArray(nodes) ? nodes : []).map((node) => {
			const { name, type } = objectAt(node);
			return [name, readText(type).split('.').at(-1)?.replace(/Tool$/, '') ?? ''];
		}),
	);
	return Object.entries(objectAt(data, 'resultData', 'runData')).flatMap(([name, tasks]) => {
		const closes = CLOSES[types.get(name) ?? ''];
		if (closes === undefined || !Array.isArray(tasks)) return [];
		const items = tasks.flatMap((task) => Object.values(objectAt(task, 'data'))).flat(2);
		return items
			.map((item) => objectAt(item, 'json') as IDataObject)
			.flatMap((json) => (closes(json) ? [readText(json.editId)] : []));
	});
}

/** The object at a path; an empty one if there is none. */
function objectAt(value: unknown, ...path: readonly string[]): Record<string, unknown> {
	let found = value;
	for (const key of path) found = isRecord(found) ? found[key] : undefined;
	return isRecord(found) ? found : {};
}
