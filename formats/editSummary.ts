import type { IDataObject } from 'n8n-workflow';

import { type Edit, receivedBody } from '../api/contract';
import { countsInWords } from './editCounts';
import { rawBody } from './rawBody';

/**
 * An edit in at most ten flat fields, for the nodes' "Simplify" option: what a person looks at and
 * what the next node needs. Missing material leaves its field out.
 */
export function summarizeEdit(edit: Edit, editId: string): IDataObject {
	const { result } = edit;
	const transcript = result?.transcription?.paragraphs.map(({ text }) => text).join('\n\n');
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

/** A model is given a tool's whole answer, and pays for it: longer texts are cut to so many characters. */
const SHORT_CHARACTERS = 4_000;

/** Longer lists, such as the words of a transcript, are cut to so many entries. */
const SHORT_ENTRIES = 50;

/** A summary for an agent: long texts and lists are cut, and say so. */
export function shortened(summary: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries(summary).map(([name, value]) => [name, shortValue(value)]),
	);
}

function shortValue(value: unknown): IDataObject[string] {
	if (typeof value === 'string' && value.length > SHORT_CHARACTERS) {
		return `${value.slice(0, SHORT_CHARACTERS)}… (cut; ${value.length} characters in all)`;
	}
	if (Array.isArray(value)) {
		const entries = value.slice(0, SHORT_ENTRIES).map(shortValue);
		const cut = value.length > SHORT_ENTRIES ? [`… (cut; ${value.length} entries in all)`] : [];
		return [...entries, ...cut] as IDataObject[string];
	}
	const isObject = typeof value === 'object' && value !== null;
	return isObject ? shortened(value as IDataObject) : (value as IDataObject[string]);
}
