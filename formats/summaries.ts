import type { IDataObject } from 'n8n-workflow';

import { type CompletedTask, type Edit, KIND_NAMES, receivedBody } from '../api/contract';
import { isNothing } from '../api/contract/tolerance';
import { withoutQueries } from '../api/sanitizeText';
import { mapTexts } from '../api/secrets';

/** An edit in at most ten flat fields. Empty fields are left out. */
export function summarizeEdit(edit: Edit, editId: string): IDataObject {
	const { result } = edit;
	const fields: IDataObject = {
		editId,
		status: edit.status,
		fileName: result?.filename,
		downloadUrl: result?.download_url,
		statistics: result?.statistics,
		edits: countsInWords(result?.statistics),
		title: result?.summarization?.title,
		summary: result?.summarization?.summary,
		chapters: result?.summarization?.chapters,
		transcript: result?.transcription?.paragraphs.map(({ text }) => text).join('\n\n'),
	};
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isNothing(value)));
}

/** The names by key; the service may count kinds that have none. */
const NAMES: ReadonlyMap<string, string> = new Map(Object.entries(KIND_NAMES));

/**
 * The counts of a result's statistics in words, the largest first: "12 fillers, 3 long silences".
 *
 * @returns `none` where all counts are 0; undefined where there are no counts
 */
export function countsInWords(
	statistics: Readonly<Record<string, number>> | undefined,
): string | undefined {
	const counts = Object.entries(statistics ?? {});
	if (counts.length === 0) return undefined;
	const texts = counts
		.filter(([, count]) => count > 0)
		.sort(([, one], [, other]) => other - one)
		.map(([kind, count]) => {
			const name = NAMES.get(kind);
			if (name === undefined) return `${count} ${kind.toLowerCase().replace(/_+/g, ' ').trim()}`;
			return `${count} ${name}${count === 1 ? '' : 's'}`;
		});
	return texts.join(', ') || 'none';
}

/** How much of an edit a node returns: few fields, all as the service sent them, or some of the few. */
export type Detail = 'simplified' | 'raw' | 'rawForModel' | readonly string[];

/** The edit in as much detail as asked for, with its ID. For a model, only the result's links are whole. */
export function describeEdit(edit: Edit, editId: string, detail: Detail): IDataObject {
	const raw = () => ({ ...rawBody(receivedBody(edit)), editId });
	if (detail === 'raw') return raw();
	if (detail === 'rawForModel') {
		const { result, ...others }: IDataObject = raw();
		return { ...(mapTexts(others, withoutQueries) as IDataObject), ...(result && { result }) };
	}
	const summary = summarizeEdit(edit, editId);
	if (detail === 'simplified') return summary;
	const wanted = ['editId', ...detail];
	return Object.fromEntries(Object.entries(summary).filter(([name]) => wanted.includes(name)));
}

/** A completed task in few fields or as the service sent it, with the names that the next node reads. */
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
 * A response of the service for an item's json. Its key `error` becomes `serviceError`: n8n would treat an
 * item with `error` as failed.
 */
export function rawBody(body: object): IDataObject {
	const { error, ...rest } = body as IDataObject;
	return { ...rest, ...(error !== undefined && { serviceError: error }) };
}
