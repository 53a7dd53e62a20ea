import type { IDataObject } from 'n8n-workflow';

import { type CompletedTask, type Edit, KIND_NAMES, isWebUrl, receivedBody } from '../api/contract';
import { isNothing } from '../api/contract/tolerance';
import { URL_IN_TEXT, withoutQueries } from '../api/sanitizeText';
import { mapTexts } from '../api/secrets';

/** Where the executions of this n8n wait, if known: nothing can be downloaded there. */
type WaitingBase = string | undefined;

/** An edit in at most ten flat fields. Empty fields are left out. */
export function summarizeEdit(edit: Edit, editId: string, waitingBase: WaitingBase): IDataObject {
	const { result } = edit;
	const link = result?.download_url;
	const fields: IDataObject = {
		editId,
		status: edit.status,
		fileName: result?.filename,
		downloadUrl: link !== undefined && isResumeUrl(link, waitingBase) ? undefined : link,
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
export function describeEdit(
	edit: Edit,
	editId: string,
	detail: Detail,
	waitingBase: WaitingBase,
): IDataObject {
	const raw = () => ({ ...rawBody(receivedBody(edit), waitingBase), editId });
	if (detail === 'raw') return raw();
	if (detail === 'rawForModel') {
		const { result, ...others }: IDataObject = raw();
		return { ...(mapTexts(others, withoutQueries) as IDataObject), ...(result && { result }) };
	}
	const summary = summarizeEdit(edit, editId, waitingBase);
	if (detail === 'simplified') return summary;
	const wanted = ['editId', ...detail];
	return Object.fromEntries(Object.entries(summary).filter(([name]) => wanted.includes(name)));
}

/** A completed task in few fields or as the service sent it, with the names that the next node reads. */
export function describeTask(
	task: CompletedTask,
	configurationId: number,
	isSimple: boolean,
	waitingBase: WaitingBase,
): IDataObject {
	const names = { editId: task.id, configurationId };
	if (!isSimple) return { ...rawBody(task, waitingBase), ...names };
	const { status, created_at: createdAt, length_audio: lengthAudio } = task;
	return { ...names, status, createdAt, lengthAudio };
}

/**
 * A response of the service for an item's json, with addresses of executions but without the keys in
 * them. Its key `error` becomes `serviceError`: n8n would treat an item with `error` as failed.
 */
export function rawBody(body: object, waitingBase: WaitingBase): IDataObject {
	const change = (text: string) => withoutExecutionKeys(text, waitingBase);
	const { error, ...rest } = mapTexts(body, change) as IDataObject;
	return { ...rest, ...(error !== undefined && { serviceError: error }) };
}

/** The path of an execution that waits, unless the administrator of n8n has chosen another. */
const DEFAULT_PATH = /\/webhook-waiting\/[^/]+\/?$/;

/**
 * Whether a link is the address of an execution of n8n, this one or another. It takes a PUT only, so it is
 * no download link.
 *
 * @param waitingBase where the executions of this n8n wait, if known: the address without the execution
 */
export function isResumeUrl(link: string, waitingBase: string | undefined): boolean {
	if (!isWebUrl(link)) return false;
	const { origin, pathname } = new URL(link);
	const isHere = waitingBase !== undefined && `${origin}${pathname}`.startsWith(`${waitingBase}/`);
	return isHere || DEFAULT_PATH.test(pathname);
}

/** A text with the addresses of executions without their query, which holds n8n's signature and our key. */
export function withoutExecutionKeys(text: string, waitingBase: string | undefined): string {
	return text.replace(URL_IN_TEXT, (url) =>
		isResumeUrl(url, waitingBase) ? url.split(/[?#]/)[0] : url,
	);
}
