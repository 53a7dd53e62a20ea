import type { IDataObject } from 'n8n-workflow';

import { type Edit, receivedBody } from '../api/contract';
import { countsInWords } from './editCounts';
import { rawBody } from './rawBody';
import { isResumeUrl } from './resumeUrl';

/**
 * An edit in at most ten flat fields, for the nodes' "Simplify" option: what a person looks at and
 * what the next node needs. Missing material leaves its field out.
 */
export function summarizeEdit(edit: Edit, editId: string): IDataObject {
	const { result } = edit;
	const link = result?.download_url;
	const transcript = result?.transcription?.paragraphs.map(({ text }) => text).join('\n\n');
	const fields: IDataObject = {
		editId,
		status: edit.status,
		fileName: result?.filename,
		// There is nothing to download at the address of an execution.
		downloadUrl: link !== undefined && isResumeUrl(link) ? undefined : link,
		statistics: result?.statistics,
		edits: countsInWords(result?.statistics),
		title: result?.summarization?.title,
		summary: result?.summarization?.summary,
		chapters: result?.summarization?.chapters,
		transcript,
	};
	const isThere = (value: unknown) =>
		value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => isThere(value)));
}

/** The service's answer as it came, with the edit's id. */
export function rawEdit(edit: Edit, editId: string): IDataObject {
	return { ...rawBody(receivedBody(edit)), editId };
}
