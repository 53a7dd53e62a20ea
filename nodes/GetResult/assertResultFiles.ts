import type { IExecuteFunctions } from 'n8n-workflow';

import type { Edit } from '../../api/contract';
import { operationError } from '../shared/errors';
import { isResumeUrl } from '../../formats/resumeUrl';
import { addHint } from '../shared/hints';
import type { DownloadKind, Wanted } from './downloads';

/** What was asked for, and what the result has of it. */
interface Asked {
	readonly editId: string;
	readonly itemIndex: number;
	readonly kinds: readonly DownloadKind[];
	readonly wanted: readonly Wanted[];
}

/** What a kind of file is called in the form, and the key of the configuration that brings it. */
const BROUGHT_BY: ReadonlyArray<{ kind: DownloadKind; title: string; configKey: string }> = [
	{ kind: 'merged', title: 'Merged Audio', configKey: 'merge' },
	{ kind: 'markers', title: 'Markers', configKey: 'export_timestamps' },
];

/**
 * Refuses an edit without its result: whatever is passed on is deleted for good by a Delete that
 * follows. Other files that were asked for and are not there are hinted at.
 *
 * @throws NodeOperationError where there is no result, or no edited file though it is asked for
 */
export function assertResultFiles(context: IExecuteFunctions, edit: Edit, asked: Asked): void {
	refuseWithoutResult(context, edit, asked);
	sayWhichAreMissing(context, asked);
}

function refuseWithoutResult(
	context: IExecuteFunctions,
	{ result }: Edit,
	{ editId, itemIndex, kinds, wanted }: Asked,
): void {
	const refusal = (missing: string, description: string) =>
		operationError(context.getNode(), `Edit ${editId} has no ${missing} [item ${itemIndex}]`, {
			itemIndex,
			description,
		});
	if (kinds.includes('edited') && !wanted.some(({ kind }) => kind === 'edited')) {
		throw refusal(
			'edited file to download',
			isResumeUrl(result?.download_url ?? '')
				? "The service delivered it to an execution of n8n, and keeps no link to it. Connect this node directly after the Wait For Edit that took the file, or switch 'Edited File' off under Download to get the rest."
				: "The service reports SUCCESS without a download link. Run this node again in a minute, or switch 'Edited File' off under Download to get the rest.",
		);
	}
	if (result === undefined) {
		throw refusal(
			'result yet',
			'The service reports SUCCESS without a result. Run this node again in a minute, and do not delete the edit before.',
		);
	}
}

/** Merged audio and markers are there only when the edit was created so: a hint says what is missing. */
function sayWhichAreMissing(context: IExecuteFunctions, { editId, kinds, wanted }: Asked): void {
	for (const { kind, title, configKey } of BROUGHT_BY) {
		if (!kinds.includes(kind) || wanted.some((file) => file.kind === kind)) continue;
		const why = `since the result has none. Set '${configKey}' to true when you create the edit.`;
		addHint(context, `${title} left out, ${why}`, `edit ${editId}`);
	}
}
