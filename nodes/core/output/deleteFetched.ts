import type { INodeExecutionData } from 'n8n-workflow';

import { sanitizeText } from '../../../api/sanitizeText';
import { systemTime } from '../../../api/time';
import { type DownloadKind, countNotFetched } from '../fetch/downloads';
import type { FinishedEdit } from '../fetch/finishedEdit';
import type { MissingTexts } from '../fetch/texts/missingTexts';
import { deleteAll } from './deleteAll';
import { openService } from '../run/service';
import type { NodeRun } from '../run/nodeRun';
import { OUTPUTS_KEPT_AFTER_MS, type RunMemory } from '../skip/runMemory';

/** What the log says. */
const WORDS = {
	done: 'deleted on the service, since its files are in n8n',
	left: 'these edits were not deleted, and the service keeps them for up to 7 days',
};

/** What an item fetched of its edit. */
interface Fetched {
	readonly items: readonly INodeExecutionData[];
	readonly kinds: readonly DownloadKind[];
	/** The texts that it lacks, though they were chosen. */
	readonly missing?: MissingTexts;
}

/** Whether n8n has stored every file of a result; if not, a hint says that its edit stays. */
export function isFetched(
	run: NodeRun,
	{ editId, edit }: FinishedEdit,
	{ items, kinds, missing: texts }: Fetched,
): boolean {
	const missing = countNotFetched(edit, kinds);
	const files = items.flatMap(({ binary = {} }) => Object.values(binary));
	let why = '';
	if (texts !== undefined) {
		why = `it lacks ${texts.titles} (${texts.why}). Use the Audio Editing Delete node once you need it no more.`;
	} else if (missing > 0) {
		why = `n8n lacks ${missing} of its files. Choose all files under 'Download', or use the Audio Editing Delete node once the service lists them.`;
	} else if (files.some(({ id }) => id === undefined)) {
		why =
			'this n8n keeps files in memory until the workflow ends, so a crash would lose them. Use the Audio Editing Delete node after a node that stores the file, or set N8N_DEFAULT_BINARY_DATA_MODE to filesystem.';
	}
	if (why !== '') run.hints.add(`not deleted, because ${why}`, `edit ${editId}`);
	return why === '';
}

/**
 * Clears n8n's memory of the edits that were output, and deletes edits whose files are in n8n, after the end of
 * the node. While the node runs, Stop would make n8n drop the files, and the edits would be lost with them. So
 * this returns at once; the log says what was deleted. After Stop nothing more is cleared or deleted.
 */
export async function afterOutput(
	run: NodeRun,
	editIds: readonly string[],
	remembered?: RunMemory,
): Promise<void> {
	// The files are charged and in n8n, so whatever fails here must not fail the node.
	const warn = (error: unknown) => {
		const reason = sanitizeText(String(error));
		run.context.logger.warn(`Audio editing: edits were not deleted: ${reason}`);
	};
	try {
		const service =
			editIds.length > 0 ? await openService(run.context, { isForLater: true }) : null;
		const isOutput = remembered ? remembered.clear() : outputsKept(run);
		void isOutput
			.then(async (isKept) => {
				if (isKept && service) await deleteAll(run, service, editIds, WORDS);
			})
			.catch(warn);
	} catch (error) {
		await remembered?.release();
		warn(error);
	}
}

async function outputsKept(run: NodeRun): Promise<boolean> {
	await systemTime.sleep(OUTPUTS_KEPT_AFTER_MS, run.stop);
	return true;
}
