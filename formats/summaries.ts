import type { IDataObject } from 'n8n-workflow';

import { type CompletedTask, type Edit, receivedBody } from '../api/contract';
import { countsInWords } from './editCounts';
import { isResumeUrl, withoutResumeSignatures } from './resumeUrl';

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

/** A completed task in few flat fields, or as it came; both with the names that the next node reads. */
export function describeTask(
	task: CompletedTask,
	configurationId: number,
	isSimple: boolean,
): IDataObject {
	const names = { editId: task.id, configurationId };
	if (!isSimple) return { ...rawBody(task), ...names };
	const { status, created_at: createdAt, length_audio: lengthAudio } = task;
	return { ...names, status, createdAt, lengthAudio };
}

/**
 * An answer of the service as it came, for an item's json. A key `error` at the top would make n8n's
 * Retry On Fail run the node again and its error output take the item for a failed one, so that key
 * is called `serviceError` here. Addresses of executions are shown without n8n's signature.
 */
export function rawBody(body: object): IDataObject {
	const { error, ...rest } = withoutResumeSignatures(body) as IDataObject;
	return { ...rest, ...(error !== undefined && { serviceError: error }) };
}
