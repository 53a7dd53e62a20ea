import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type DownloadKind, countNotFetched } from '../GetResult/downloads';
import type { FinishedEdit } from '../GetResult/fetchResult';
import { toNodeError } from '../shared/errors';
import { withSaid } from '../shared/failureTexts';
import { addHint } from '../shared/hints';
import { openService } from '../shared/service';
import { isToolUse } from '../shared/toolUse';
import type { RecordingRun } from './recordingRun';

/**
 * Deletes an edit whose files are in n8n, once all recordings have ended. If one of them ends the node, or
 * Stop does, n8n drops the files, so the edit stays. It also stays if the result has a file that was not
 * fetched. Returns its items, which say whether it was deleted.
 *
 * An agent gets links instead of files, so its edit stays, too.
 */
export async function deleteFetched(
	context: IExecuteFunctions,
	run: RecordingRun,
	finished: FinishedEdit,
	kinds: readonly DownloadKind[],
	items: readonly INodeExecutionData[],
): Promise<INodeExecutionData[]> {
	if (isToolUse(context) || !(await run.keepsOutputs())) return [...items];
	const { itemIndex, editId, edit } = finished;
	const notFetched = countNotFetched(context, edit, kinds);
	if (notFetched > 0) {
		const files =
			notFetched === 1 ? '1 file of its result was' : `${notFetched} files of its result were`;
		const message = `not deleted, since ${files} not fetched. Choose all files under 'Download', or delete the edit with the node Delete.`;
		addHint(context, message, `edit ${editId}`);
	}
	const deletion = async () => await deleteEdit(context, finished);
	const deleted = notFetched === 0 && (await run.delete(itemIndex, deletion));
	return items.map((item) => ({
		...item,
		json: { ...item.json, edit: { ...(item.json.edit as IDataObject), deleted } },
	}));
}

/** Deletes an edit whose files are in n8n. If that fails, the item must not: its files would be lost. */
async function deleteEdit(
	context: IExecuteFunctions,
	{ itemIndex, editId }: Omit<FinishedEdit, 'edit'>,
): Promise<boolean> {
	const { client } = await openService(context);
	const result = await client.deleteEdit(editId);
	if (result.ok) return true;
	const { message } = toNodeError(context.getNode(), result.failure, {
		itemIndex,
		doing: `delete edit ${editId}`,
	});
	const said = withSaid(message, result.failure);
	addHint(context, `${said} Its files are in n8n; the service deletes it after 7 days.`);
	return false;
}
