import type { IBinaryData, IExecuteFunctions, NodeOperationError } from 'n8n-workflow';

import { operationError } from '../shared/errors';
import { sanitizeText } from '../../api/sanitizeText';
import type { FileBody } from '../../api/fileBody';
import { extensionOf, safeFileName } from '../shared/fileNames';
import { addHint } from '../shared/hints';
import { asNodeError } from '../shared/failedItems';
import { listed } from '../shared/listed';
import { MEDIA_EXTENSIONS, isNotMediaExtension, isNotMediaType } from '../shared/mediaTypes';
import { asFieldError, fieldError, readText } from '../shared/parameters';
import { isToolUse } from '../shared/toolUse';

/** A file of an item, ready to be sent as often as needed. */
export interface Source {
	readonly fileName: string;
	readonly contentType: string;
	readonly sizeBytes: number;
	/** As n8n keeps it. */
	readonly binary: IBinaryData;
	/** Opens the content anew: a stream can be read only once. */
	open(): Promise<FileBody['content']>;
}

const FIELDS_NAMED_AT_MOST = 20;

/** The media type of bytes of which nothing is known. */
const UNTYPED = 'application/octet-stream';

/**
 * Finds a file of an item and what it is to be called; refuses what cannot be sent.
 *
 * @param field the name of the binary field, or the file itself from an expression
 */
export async function readSource(
	context: IExecuteFunctions,
	itemIndex: number,
	field: string,
): Promise<Source> {
	refuseMissing(context, itemIndex, field);
	const binary = findBinary(context, itemIndex, field);
	const fileName = readFileName(context, itemIndex, binary);
	const contentType = readContentType(context, itemIndex, binary);
	refuseOtherThanMedia(context, itemIndex, fileName, contentType);
	warnOfUnlistedFormat(context, fileName);
	const content = await findContent(context, itemIndex, { field, fileName, binary });
	if (content.sizeBytes > 0) return { fileName, contentType, binary, ...content };
	const message = `The file '${fileName}' is empty`;
	throw fieldError(context, itemIndex, message, 'Look at the node that made the file.');
}

/** n8n's own message does not say which fields there are, and finds 'constructor' in every object. */
function refuseMissing(context: IExecuteFunctions, itemIndex: number, field: unknown): void {
	const { binary } = context.getInputData()[itemIndex];
	if (typeof field !== 'string') return;
	if (!(field in {}) && (binary === undefined || Object.hasOwn(binary, field))) return;
	const fields = Object.keys(binary ?? {});
	const advice =
		fields.length === 0
			? 'It has no files. Put a node that outputs a file before this one.'
			: `It has files in: ${listed(fields, FIELDS_NAMED_AT_MOST)}. Enter one of these names.`;
	throw fieldError(context, itemIndex, `The item has no binary field '${field}'`, advice);
}

/** The names under which the files of these fields are sent. @throws where a field has no file */
export function fileNamesOf(
	context: IExecuteFunctions,
	itemIndex: number,
	fields: readonly string[],
): string {
	const names = fields.map((field) => {
		return readFileName(context, itemIndex, findBinary(context, itemIndex, field));
	});
	return names.join(', ');
}

function readFileName(
	context: IExecuteFunctions,
	itemIndex: number,
	{ fileName, fileExtension }: IBinaryData,
): string {
	const given = readText(context.getNodeParameter('options.fileName', itemIndex, ''));
	return safeFileName(given || fileName || '', `recording.${fileExtension ?? 'bin'}`);
}

function findBinary(context: IExecuteFunctions, itemIndex: number, field: string): IBinaryData {
	try {
		return context.helpers.assertBinaryData(itemIndex, field);
	} catch (error) {
		const missing = asNodeError(context.getNode(), error, itemIndex);
		if (!isToolUse(context)) throw asFieldError(missing);
		throw fieldError(
			context,
			itemIndex,
			"'Input Binary Field' has no file: the call of an agent carries no files",
			"For a file at a public URL, give the URL to Create Edit, which needs no upload. For a file in the workflow, set the field to an expression such as {{ $('On form submission').item.binary.data }}.",
		);
	}
}

function readContentType(
	context: IExecuteFunctions,
	itemIndex: number,
	{ mimeType }: IBinaryData,
): string {
	const given = readText(context.getNodeParameter('options.contentType', itemIndex, ''));
	const contentType = (given || mimeType || UNTYPED).trim();
	if (/^[\w.+-]+\/[\w.+-]+(\s*;[\x20-\x7e]*)?$/.test(contentType)) return contentType;
	throw fieldError(
		context,
		itemIndex,
		`'Content Type' is not a media type: ${JSON.stringify(contentType)}`,
		"Use a value such as audio/mpeg, or remove the option to take the file's own.",
	);
}

/**
 * Types that tell nothing: S3 and others give the first to files of which they know none, n8n gives
 * `text/plain`. A camcorder's `.mts` is `model/vnd.mts` to n8n.
 */
const TELLS_NOTHING = /^((application|binary)\/octet-stream|text\/plain|model\/vnd\.mts)$/i;

/** A PDF would be taken, charged for, and end in FAILURE. */
function refuseOtherThanMedia(
	context: IExecuteFunctions,
	itemIndex: number,
	fileName: string,
	contentType: string,
): void {
	const isUntyped = TELLS_NOTHING.test(contentType.split(';')[0].trim());
	const isOther = isUntyped
		? isNotMediaExtension(extensionOf(fileName))
		: isNotMediaType(contentType);
	if (!isOther) return;
	throw fieldError(
		context,
		itemIndex,
		`The file '${fileName}' is not audio or video${isUntyped ? '' : ` but ${contentType}`}`,
		"Choose the field with the recording in 'Input Binary Field'. If the file is one, enter its own type in the option 'Content Type', such as audio/mpeg.",
	);
}

/**
 * n8n keeps a binary in memory only in its default mode; then it has no id and cannot be streamed. What
 * it has stored may be gone, which has to be known before the service is asked for a signed URL.
 */
async function findContent(
	context: IExecuteFunctions,
	itemIndex: number,
	{ field, fileName, binary: { id } }: Pick<Source, 'fileName' | 'binary'> & { field: string },
): Promise<Pick<Source, 'sizeBytes' | 'open'>> {
	const { helpers } = context;
	if (id === undefined) {
		const content = await helpers.getBinaryDataBuffer(itemIndex, field);
		return { sizeBytes: content.length, open: async () => content };
	}
	const orGone = async <T>(read: () => Promise<T>) => {
		try {
			return await read();
		} catch (error) {
			throw goneError(context, itemIndex, fileName, error);
		}
	};
	const open = async () => await orGone(async () => await helpers.getBinaryStream(id));
	const { fileSize } = await orGone(async () => await helpers.getBinaryMetadata(id));
	// Before n8n 2 a file that is there and cannot be opened is told by the stream alone, and an event
	// that nobody listens to would end n8n.
	(await open()).on('error', () => undefined).destroy();
	return { sizeBytes: fileSize, open };
}

function goneError(
	context: IExecuteFunctions,
	itemIndex: number,
	fileName: string,
	error: unknown,
): NodeOperationError {
	const said = sanitizeText(error instanceof Error ? error.message : String(error));
	return operationError(
		context.getNode(),
		`Could not upload '${fileName}': n8n cannot read its copy of the file any more (${said}) [item ${itemIndex}]`,
		{
			itemIndex,
			description:
				'n8n deletes its copies together with the execution they belong to. Run the workflow again from the node that made the file.',
		},
	);
}

function warnOfUnlistedFormat(context: IExecuteFunctions, fileName: string): void {
	const extension = extensionOf(fileName);
	if (MEDIA_EXTENSIONS.includes(extension)) return;
	addHint(
		context,
		`sent, but the format is not one the service lists (${MEDIA_EXTENSIONS.join(', ')}).`,
		`'${fileName}'`,
	);
}
