import type { IDataObject } from 'n8n-workflow';

import type { SourceNames } from '../files/sourceNames';

/** What is known of the edit of an item. */
interface KnownEdit {
	readonly editId?: string;
	readonly names: SourceNames;
	readonly editedFileName?: string | null;
	readonly isFinished?: boolean;
	/** Where a person reviews it, if it waits for that. */
	readonly reviewUrl?: string;
}

/** The fields that each item of an edit begins with: null where nothing is known. */
export function firstFields({
	editId,
	names: { sourceFileName, sourceFileNames },
	editedFileName,
	isFinished = false,
	reviewUrl,
}: KnownEdit): IDataObject {
	return {
		editId: editId ?? null,
		sourceFileName: sourceFileName ?? null,
		editedFileName: editedFileName ?? null,
		finished: isFinished,
		...(sourceFileNames && { sourceFileNames }),
		...(reviewUrl && { reviewUrl }),
	};
}

/** An item's json: its first fields, which win, and then the others. */
export function withFirst(first: IDataObject, others: IDataObject): IDataObject {
	return { ...first, ...others, ...first };
}

/** The same with the fields of the input item before the node's own. */
export function withInput(first: IDataObject, input: IDataObject, own: IDataObject): IDataObject {
	const { editedFileName } = first;
	// People drag it into the next node: it must not be the name of the recording there.
	const renamed = 'fileName' in input && editedFileName && { fileName: editedFileName };
	return withFirst(first, { ...input, ...renamed, ...own });
}
