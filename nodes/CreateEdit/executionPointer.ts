import type { IExecuteFunctions, IWorkflowExecutionCustomData } from 'n8n-workflow';

import { sanitizeText } from '../../api/sanitizeText';

/**
 * n8n keeps ten short values with an execution, also when it is stopped. The author of the workflow may
 * want them all, so this package uses one.
 */
const KEY = 'audioEditingEdits';

/** What this package writes there; anything else is the author's. */
const OURS = /^(\d+) edits?, the first: (.+)$/;

/** n8n 1.68 complains about values of more than 255 characters. */
const ID_CHARACTERS_MAXIMUM = 200;

/** Counts an edit in the execution's custom data, beside the ID of the first one. */
export function pointTo(context: IExecuteFunctions, editId: string): void {
	const customData = customDataOf(context);
	if (customData === undefined) return;
	const before: unknown = customData.get(KEY);
	const [, count, first] = OURS.exec(typeof before === 'string' ? before : '') ?? [];
	if (before !== undefined && first === undefined) return;
	const edits = Number(count ?? 0) + 1;
	const id = first ?? sanitizeText(editId).slice(0, ID_CHARACTERS_MAXIMUM);
	customData.set(KEY, `${edits} edit${edits === 1 ? '' : 's'}, the first: ${id}`);
}

/** Nodes have `customData` themselves in newer versions only; expressions have it in 1.68, too. */
function customDataOf(context: IExecuteFunctions): IWorkflowExecutionCustomData | undefined {
	const { $execution } = (context.getWorkflowDataProxy?.(0) ?? {}) as {
		$execution?: { customData?: IWorkflowExecutionCustomData };
	};
	return $execution?.customData;
}
