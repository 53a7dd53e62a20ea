import type { IDataObject } from 'n8n-workflow';

import {
	type CompletedTask,
	type Edit,
	type EditResult,
	receivedBody,
} from '../../../api/contract';
import { isNothing } from '../../../api/contract/tolerance';
import { withoutQueries } from '../../../api/sanitizeText';
import { mapTexts } from '../../../api/secrets';
import { CUT_FIELDS, countsInWords } from '../../../formats/countsInWords';
import { usableSeconds } from '../../../formats/values';
import { linksOf } from './resultLinks';

/** Lengths in seconds that were read from files, as far as they are known. */
export interface ReadDurations {
	readonly before?: number;
	readonly after?: number;
}

/** Three decimals are exact enough for lengths and loudness. */
const ROUNDED_TO = 1_000;

/** The length of the edited file in seconds: as read from it, or as the service says. */
export function durationAfter(
	result: EditResult | undefined,
	{ after = result?.duration_after_seconds }: ReadDurations,
): number | undefined {
	return usableSeconds(after);
}

/**
 * What people need of an edit, in fields of which each is always there: null where nobody says it.
 *
 * @param edit undefined if it was never read
 */
export function summarizeEdit(
	edit: Pick<Edit, 'status' | 'result'> | undefined,
	read: ReadDurations = {},
): IDataObject {
	const { result } = edit ?? {};
	const { statistics, summarization, transcription } = result ?? {};
	const rounded = (value: number | undefined) =>
		value && Math.round(value * ROUNDED_TO) / ROUNDED_TO;
	const fields = {
		status: edit?.status,
		durationBeforeSeconds: rounded(usableSeconds(read.before ?? result?.duration_before_seconds)),
		durationAfterSeconds: rounded(durationAfter(result, read)),
		loudnessBeforeLufs: rounded(result?.loudness_before_lufs),
		loudnessAfterLufs: rounded(result?.loudness_after_lufs),
		cuts: Object.fromEntries(
			Object.entries(CUT_FIELDS).map(([key, name]) => [name, statistics?.[key] ?? null]),
		),
		cutsText: countsInWords(statistics),
		title: summarization?.title,
		summary: summarization?.summary,
		chapters: summarization?.chapters,
		transcript: transcription?.paragraphs.map(({ text }) => text).join('\n\n'),
		links: linksOf({ result }),
	};
	const entries = Object.entries(fields).map(([name, value]) => [
		name,
		isNothing(value) ? null : value,
	]);
	return Object.fromEntries(entries) as IDataObject;
}

/** How much of an edit a node returns: few fields, all as the service sent them, or some of the few. */
export type Detail = 'simplified' | 'raw' | 'rawForModel' | readonly string[];

/**
 * The edit in as much detail as asked for. For a model, only the result's links are whole.
 *
 * @param edit undefined if it was never read
 */
export function describeEdit(
	edit: Edit | undefined,
	editId: string,
	detail: Detail,
	read?: ReadDurations,
): IDataObject {
	const raw = () => ({ ...(edit && rawBody(receivedBody(edit))), editId });
	if (detail === 'raw') return raw();
	if (detail === 'rawForModel') {
		const { result, ...others }: IDataObject = raw();
		return { ...(mapTexts(others, withoutQueries) as IDataObject), ...(result && { result }) };
	}
	const summary = summarizeEdit(edit, read);
	if (detail === 'simplified') return summary;
	return Object.fromEntries(Object.entries(summary).filter(([name]) => detail.includes(name)));
}

/** A completed task in few fields or as the service sent it, with the names that the next node reads. */
export function describeTask(
	task: CompletedTask,
	templateId: number,
	isSimple: boolean,
): IDataObject {
	const names = { editId: task.id, templateId };
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
