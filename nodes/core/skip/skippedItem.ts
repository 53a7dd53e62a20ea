import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { RETENTION_DAYS } from '../../../api/contract';
import type { SkipWay } from './fields';

/** Why a recording is skipped. */
export type SkipCode = keyof typeof REASONS;

const RECOGNIZED: Readonly<Record<SkipWay, string>> = {
	nameAndSize: 'the file name and size',
	content: 'the content of the file',
	url: 'the URL',
	value: 'your value',
};

/** What a code means, in a few words, for the summary of a run. */
export const CODE_WORDS = {
	editedBefore: 'edited before',
	failedBefore: 'failed before',
	failedTwice: 'failed twice',
	overLimit: 'over the limit',
	inWork: 'in work',
	tooOld: 'too old',
	deletedByUs: 'deleted by this workflow',
	otherCredential: 'of another credential',
	uncertain: 'uncertain',
} as const;

const REASONS = {
	editedBefore: (way: SkipWay) =>
		`This node has submitted this recording before, and has output its result: it recognized ${RECOGNIZED[way]}.`,
	failedBefore: () =>
		"The edit of this recording failed before. Check that the file plays; 'Retry After a Failure' says when it is submitted again.",
	failedTwice: () =>
		"The edit of this recording failed twice. It is not submitted again unless you change the settings of the edit, or set 'Retry After a Failure' to 'Always Submit Again'.",
	overLimit: () =>
		"This execution has created as many edits as the node's limits allow. The next execution submits this recording.",
	inWork: () =>
		'Another execution is working with this recording, or another process of n8n with this node. A later execution skips it, or fetches its result.',
	tooOld: () =>
		`The edit of this recording was submitted more than ${RETENTION_DAYS} days ago, and its result was never output. The service has deleted it.`,
	deletedByUs: () =>
		'This workflow has deleted the edit of this recording, after Stop or in a manual execution. To edit it again, run the workflow without this option, and with this recording only.',
	otherCredential: () =>
		'The edit of this recording was submitted with another base URL or credential, and its result was never output. Fetch it with that credential and an Audio Editing Get Result node.',
	uncertain: () =>
		"This recording may have been submitted before. It counts as edited from now on, because 'If Uncertain' is set to 'Skip'.",
} as const;

/** What is known of a skipped recording, besides its item. */
export interface Skipped {
	readonly code: SkipCode;
	readonly way: SkipWay;
	/** Its edit, where that is known. */
	readonly editId?: string;
	/** Another reason than that of the code. */
	readonly reason?: string;
}

/**
 * The item of a skipped recording.
 *
 * @param about what is known of the recording
 */
export function skippedItem(
	{ code, way, editId, reason = REASONS[code](way) }: Skipped,
	about: IDataObject,
	files: Pick<INodeExecutionData, 'binary'>,
): INodeExecutionData {
	const json = {
		...(editId && { editId }),
		...about,
		skipped: true,
		skipCode: code,
		skipReason: reason,
	};
	return { json, ...files };
}
