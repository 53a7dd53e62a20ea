import type { IBinaryData } from 'n8n-workflow';

/** What identifies a file of an item in all tries of an execution. */
export type FileIdentity = ReadonlyArray<string | number | undefined>;

/**
 * The identity of a file, without reading it: n8n may have deleted it after its edit was created.
 *
 * @param field the name of its field, or the file itself from an expression
 */
export function fileIdentity(field: unknown, binary: IBinaryData): FileIdentity {
	const { id, fileName, fileSize, bytes = fileSize, data } = binary;
	// n8n moves the file of a webhook to another folder when the execution ends.
	const content = id?.split('/').at(-1) ?? data.length;
	return [typeof field === 'string' ? field : '', fileName, bytes, content];
}
