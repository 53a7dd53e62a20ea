import type { IBinaryData, NodeOperationError } from 'n8n-workflow';

import { operationError } from '../errors/errors';
import { messageOf } from '../../../api/failure';
import { sanitizeText } from '../../../api/sanitizeText';
import type { FileBody } from '../../../api/fileBody';
import { HEAD_BYTES, fileType } from '../files/fileType';
import { takeHead } from '../files/takeHead';
import {
	MEDIA_EXTENSIONS,
	extensionOf,
	isNotMedia,
	ownFileName,
	saysNothing,
	sentFileName,
} from '../files/mediaTypes';
import { listed } from '../texts';
import { fieldError } from '../form/fieldError';
import type { NodeRun } from '../run/nodeRun';

/** A file of an item, which can be sent several times. */
export interface Source {
	/** The name that it is sent under. */
	readonly fileName: string;
	/** Its own name, by which people know the recording, in Unicode's composed form. */
	readonly sourceFileName: string;
	readonly contentType: string;
	readonly sizeBytes: number;
	/** The file as n8n stores it. */
	readonly binary: IBinaryData;
	/** Opens the content again: a stream can be read only once. */
	open(): Promise<FileBody['content']>;
}

/** What the user enters instead of a file's own name and type. */
interface GivenNames {
	readonly fileName?: string;
	readonly contentType?: string;
}

/** The files of an item that the form asks to upload. */
export interface ChosenFiles {
	/** The names of the binary fields, at least one; or a file itself, from an expression. */
	readonly fields: readonly string[];
	readonly given: GivenNames;
}

const MAX_FIELDS_NAMED = 20;

/**
 * Finds the files of one item, before the first is sent: half a recording is useless.
 *
 * @throws NodeOperationError if a file is missing, empty, or not audio or video
 */
export async function readSources(
	run: NodeRun,
	itemIndex: number,
	{ fields, given }: ChosenFiles,
): Promise<Source[]> {
	const sources: Source[] = [];
	for (const field of fields) {
		const checked = checkSource(run, itemIndex, field, given);
		const { binary, fileName } = checked;
		const content = await findContent(run, itemIndex, { field, fileName, binary });
		if (!content.sizeBytes) {
			const message = `The file '${fileName}' is empty`;
			throw fieldError(run, itemIndex, message, 'Check the node that created the file.');
		}
		const named = await namedByContent({ ...checked, ...content }, given);
		warnOfUnlistedFormat(run, named.fileName);
		sources.push(named);
	}
	return sources;
}

/**
 * Finds a file of an item without reading it, so that all items can be checked before the first upload.
 *
 * @throws NodeOperationError if the file is missing, or not audio or video
 */
export function checkSource(
	run: NodeRun,
	itemIndex: number,
	field: string,
	given: GivenNames,
): Pick<Source, 'binary' | 'fileName' | 'sourceFileName' | 'contentType'> {
	const binary = findBinary(run, itemIndex, field);
	const contentType = checkType(run, itemIndex, given.contentType || binary.mimeType);
	const fileName = sentFileName(binary, given.fileName, contentType);
	const sourceFileName = ownFileName(binary);
	if (!isNotMedia(contentType, fileName)) return { binary, fileName, sourceFileName, contentType };
	// The service would accept and charge a PDF, and its edit would end in FAILURE.
	const butOf = saysNothing(contentType) ? '' : ` but ${contentType}`;
	const message = `The file '${fileName}' is not audio or video${butOf}`;
	const advice =
		"Choose the field with the recording in 'Input Data Field Name'. If the file is a recording, enter its type in the option 'Content Type', such as audio/mpeg.";
	throw fieldError(run, itemIndex, message, advice);
}

/** The error for a file that is not there, or not named among several. @param field the name, if the form has one */
export function missingFile(run: NodeRun, itemIndex: number, field?: string): NodeOperationError {
	if (run.isTool) {
		const message =
			"'Input Data Field Name' leads to no file: an agent cannot pass files to its tools";
		const advice =
			"For a file at a public URL, give the URL to Audio Editing Create Edit, which needs no upload. For a file in the workflow, set the field to an expression such as {{ $('On form submission').item.binary.data }}.";
		return fieldError(run, itemIndex, message, advice);
	}
	const fields = Object.keys(run.items[itemIndex].binary ?? {});
	const names = listed(fields, MAX_FIELDS_NAMED);
	const hasNone = fields.length === 0;
	const elsewhere =
		field === undefined
			? `The item has several files, in the fields ${names}`
			: `The item has no file in the field '${field}', but in ${names}`;
	const message = hasNone ? 'The item has no files' : elsewhere;
	const advice = hasNone
		? 'Put a node that outputs a file before this one. A form outputs no file if nobody chose one, or if the chosen file is empty.'
		: `Enter one of these names in 'Input Data Field Name'. To use them all as tracks of one recording, set 'Recording From' to 'All Files of the Item'. To edit each separately, put each into its own item before this node.`;
	return fieldError(run, itemIndex, message, advice);
}

/** The own names of the files of these fields. @throws NodeOperationError for a missing file */
export function sourceFileNamesOf(
	run: NodeRun,
	itemIndex: number,
	{ fields }: Pick<ChosenFiles, 'fields'>,
): string {
	return fields.map((field) => ownFileName(findBinary(run, itemIndex, field))).join(', ');
}

/** A file whose type says nothing, with the type and the name that its first bytes show. */
async function namedByContent(source: Source, given: GivenNames): Promise<Source> {
	if (given.contentType || !saysNothing(source.contentType)) return source;
	const content = await source.open();
	const head = (await takeHead(content, HEAD_BYTES)).subarray(0, HEAD_BYTES);
	if (!Buffer.isBuffer(content)) content.destroy();
	const contentType = fileType(source.contentType, head, source.fileName);
	if (contentType === undefined) return source;
	return {
		...source,
		contentType,
		fileName: sentFileName(source.binary, given.fileName, contentType),
	};
}

function findBinary(run: NodeRun, itemIndex: number, field: string): IBinaryData {
	try {
		// n8n's own check accepts 'constructor'.
		if (!(String(field) in {})) return run.context.helpers.assertBinaryData(itemIndex, field);
	} catch {
		// Its message does not list the item's fields.
	}
	throw missingFile(run, itemIndex, field);
}

function checkType(run: NodeRun, itemIndex: number, type: string): string {
	const contentType = (type || 'application/octet-stream').trim();
	if (/^[\w.+-]+\/[\w.+-]+(\s*;[\x20-\x7e]*)?$/.test(contentType)) return contentType;
	const message = `'Content Type' is not a media type: ${JSON.stringify(contentType)}`;
	const advice = "Use a value such as audio/mpeg, or remove the option to use the file's own.";
	throw fieldError(run, itemIndex, message, advice);
}

/**
 * The size of a file, and how to open it. A file without an ID is in n8n's memory and cannot be streamed.
 * A stored file may be gone: then its metadata are, too, which we read before we request a signed URL.
 */
async function findContent(
	run: NodeRun,
	itemIndex: number,
	{ field, fileName, binary: { id } }: Pick<Source, 'fileName' | 'binary'> & { field: string },
): Promise<Pick<Source, 'sizeBytes' | 'open'>> {
	const { helpers } = run.context;
	if (id === undefined) {
		const content = await helpers.getBinaryDataBuffer(itemIndex, field);
		return { sizeBytes: content.length, open: async () => content };
	}
	const open = async () => {
		try {
			return await helpers.getBinaryStream(id);
		} catch (error) {
			throw unreadableCopy(run, itemIndex, fileName, error);
		}
	};
	try {
		const { fileSize } = await helpers.getBinaryMetadata(id);
		return { sizeBytes: fileSize, open };
	} catch (error) {
		throw unreadableCopy(run, itemIndex, fileName, error);
	}
}

function unreadableCopy(run: NodeRun, itemIndex: number, fileName: string, error: unknown): Error {
	const reason = sanitizeText(messageOf(error));
	const message = `Could not upload the file: n8n can no longer read its copy of '${fileName}' [item ${itemIndex}]`;
	const description =
		'n8n deletes its copies of files together with their execution. Run the workflow again from the node that created the file.';
	return operationError(run.node, message, { itemIndex, description }, [reason]);
}

function warnOfUnlistedFormat(run: NodeRun, fileName: string): void {
	const extension = extensionOf(fileName);
	if (MEDIA_EXTENSIONS.includes(extension)) return;
	const formats = MEDIA_EXTENSIONS.join(', ');
	run.hints.add(`sent, but the service does not list this format (${formats}).`, `'${fileName}'`);
}
