import type { Edit } from '../../../api/contract';
import { operationError } from '../../shared/errors/errors';
import { isResumeUrl } from '../../../formats/resumeUrl';
import { type DownloadKind, FILES_OF_A_KIND_MAXIMUM, type ResultFile, linksOf } from './downloads';
import type { NodeRun } from '../../shared/run/nodeRun';

const MERGED =
	"To get it, switch on 'Merge Tracks' when you create the edit, or 'Audio for EDL' for a video.";
const MARKERS = "To get them, switch on 'Export Timestamps' when you create the edit.";

/** What the form calls a kind of file, and how to make the service deliver it. */
const DELIVERED_FOR: ReadonlyArray<{ kind: DownloadKind; title: string; how: string }> = [
	{ kind: 'merged', title: 'Merged Audio', how: MERGED },
	{ kind: 'markers', title: 'Markers', how: MARKERS },
];

/**
 * Refuses an edit without its result, which a Delete after this node would delete permanently. Adds a
 * hint for other chosen files that the result does not have, or of which it has too many.
 *
 * @param chosen.wanted the files that the result has of the chosen kinds
 * @throws NodeOperationError where there is no result, or no edited file though it was chosen
 */
export function assertResultFiles(
	run: NodeRun,
	edit: Edit,
	chosen: {
		editId: string;
		itemIndex: number;
		kinds: readonly DownloadKind[];
		wanted: readonly ResultFile[];
	},
): void {
	const { editId, itemIndex, kinds, wanted } = chosen;
	const { result } = edit;
	const isMissing = (kind: DownloadKind) =>
		kinds.includes(kind) && !wanted.some((file) => file.kind === kind);
	const refusal = (missing: string, description: string) =>
		operationError(run.node, `Edit ${editId} has no ${missing} [item ${itemIndex}]`, {
			itemIndex,
			description,
		});
	if (isMissing('edited')) {
		throw refusal(
			'edited file to download',
			isResumeUrl(result?.download_url ?? '', run.waitingBase)
				? "The service delivered it to an execution of n8n, and keeps no link to it. Connect this node directly after the Wait For Edit that received the file, or remove 'Edited File' from 'Download' to get the rest."
				: "The service reports SUCCESS without a download link. Fetch it again in a minute, or remove 'Edited File' from 'Download' to get the rest.",
		);
	}
	if (result === undefined) {
		throw refusal(
			'result yet',
			'The service reports SUCCESS without a result. Fetch it again in a minute, and do not delete the edit before that.',
		);
	}
	const links = linksOf(run, edit);
	for (const { kind, title, how } of DELIVERED_FOR) {
		const { length } = links[kind];
		if (isMissing(kind)) {
			run.hints.add(`${title} left out, since the result has none. ${how}`, `edit ${editId}`);
		} else if (kinds.includes(kind) && length > FILES_OF_A_KIND_MAXIMUM) {
			const message = `the result has ${length} files for '${title}', and only the first ${FILES_OF_A_KIND_MAXIMUM} are fetched. With 'Simplify' off, the output has the links of all.`;
			run.hints.add(message, `edit ${editId}`);
		}
	}
}
