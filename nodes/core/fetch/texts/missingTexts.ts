import type { IExecuteFunctions } from 'n8n-workflow';

import type { Edit } from '../../../../api/contract';
import { messageOf } from '../../../../api/failure';
import { sanitizeText } from '../../../../api/sanitizeText';
import { canRemember, inTurn } from '../../skip/memory/nodeMemory';
import { ofEdit, operationError } from '../../errors/errors';
import { recordIn } from '../../ledger/submissionLedger';
import { hashOf } from '../../ledger/identity';
import type { NodeRun } from '../../run/nodeRun';
import { FORMAT_OPTIONS } from './formatFields';
import { type FormatKind, TEXT_OPTIONS } from './formatKinds';

/** A note of a result that says why it has no texts. */
const FAILED_NOTE = /^transcri(?:ption|pt|bing) failed\b/i;

/** Outputs that were asked for, but not made by the service. */
export interface MissingTexts {
	readonly kinds: readonly FormatKind[];
	/** Their titles in the form. */
	readonly titles: string;
	/** Such as "transcription failed: the server answered 503". */
	readonly why: string;
}

/**
 * Returns the chosen outputs that a result lacks because its transcription failed; undefined if there are none.
 * Other outputs may be missing because nobody asked the service for them.
 *
 * @param isTranscribed whether the edit is known to have asked for a transcript
 */
export function missingTexts(
	{ result }: Edit,
	chosen: readonly FormatKind[],
	isTranscribed = false,
): MissingTexts | undefined {
	if (result === undefined) return undefined;
	const note = result.notes?.find((one) => FAILED_NOTE.test(one.trim()));
	// A result without the key says nothing about its transcript.
	const hasNone = isTranscribed && result.transcription === null;
	const kinds = chosen.filter(({ name, configKey }) => {
		// A feed item can be made without the service's texts, from the fields of the form.
		if (name === 'feedItem' || configKey === undefined || result[TEXT_OPTIONS[configKey].field])
			return false;
		return note !== undefined || (hasNone && configKey === 'transcription');
	});
	if (kinds.length === 0) return undefined;
	const titles = kinds.map(({ name }) => FORMAT_OPTIONS.find(({ value }) => value === name)?.name);
	const why = note === undefined ? 'the service returned no transcript' : sanitizeText(note);
	return { kinds, titles: titles.join(', '), why: why.replace(/\.$/, '') };
}

/** How we note in n8n's memory of the node that an edit has failed its item for lack of texts. */
const reportedEntry = (root: string, editId: string) => `texts:${hashOf([root, editId])}`;

/**
 * Fails an item whose edit lacks texts that were asked for, in the first execution that sees it. The next one
 * outputs the sound, with a hint.
 *
 * @throws NodeOperationError that names the edit and its file, which stay on the service
 */
export async function failOnceFor(
	run: NodeRun,
	{ titles, why }: MissingTexts,
	{ itemIndex, editId, edit }: { itemIndex: number; editId: string; edit: Edit },
): Promise<void> {
	// An agent reads one answer, with links.
	if (run.isTool) return;
	const { root } = await run.openService();
	if (await wasReported(run, reportedEntry(root, editId))) return;
	const name = sanitizeText(edit.result?.filename ?? '');
	const file = name === '' ? 'The edited file' : `The edited file '${name}'`;
	const message = `${titles} could not be made: ${why}${ofEdit(editId)} [item ${itemIndex}]`;
	const description = `${file} is finished and stays on the service. The next execution that gets this edit outputs the file, with a hint instead of this error.`;
	throw operationError(run.node, message, { itemIndex, description });
}

/** In place of an execution's ID: another execution than this one and its retries. */
const EARLIER = 'earlier';

/**
 * Whether an earlier execution has reported it; notes that this one does. n8n's Retry On Fail runs the node again
 * in the same execution, which must not hide the failure. n8n copies the node's context into a retry.
 */
async function wasReported({ context }: NodeRun, entry: string): Promise<boolean> {
	const reported = recordIn<string>(context.getContext('node'), 'reportedTexts');
	const executionId = context.getExecutionId();
	reported[entry] ??= (await isKnown(context, entry)) ? EARLIER : executionId;
	return reported[entry] !== executionId;
}

/** Records an entry in n8n's memory of the node, and returns whether it was there. */
async function isKnown(context: IExecuteFunctions, entry: string): Promise<boolean> {
	if (!canRemember(context)) return false;
	try {
		const known = await inTurn(context, async (entries) => await entries.record([entry]));
		return known.has(entry);
	} catch (error) {
		const reason = sanitizeText(messageOf(error));
		context.logger.warn(
			`Audio editing: the next execution fails by missing texts again, because n8n could not store that this one did: ${reason}`,
		);
		return false;
	}
}
