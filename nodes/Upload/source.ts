import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { SUPPORTED_AUDIO_EXTENSIONS, SUPPORTED_VIDEO_EXTENSIONS } from '../../api/contract';
import type { FileBody } from '../../api/transport';
import { extensionOf, safeFileName } from '../shared/fileNames';
import { addHint } from '../shared/items';
import { fieldError, readText } from '../shared/parameters';

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

const SUPPORTED_EXTENSIONS: readonly string[] = [
	...SUPPORTED_AUDIO_EXTENSIONS,
	...SUPPORTED_VIDEO_EXTENSIONS,
];

/** Finds the file of an item and what it is to be called; refuses what cannot be sent. */
export async function readSource(context: IExecuteFunctions, itemIndex: number): Promise<Source> {
	const field = context.getNodeParameter('binaryPropertyName', itemIndex) as string;
	// n8n would find what every object has, such as 'constructor'.
	if (typeof field === 'string' && field in {}) {
		const message = `The item has no binary field '${field}'`;
		throw fieldError(context, itemIndex, message, 'Enter the name of the field with the file.');
	}
	const binary = context.helpers.assertBinaryData(itemIndex, field);
	const fileName = safeFileName(
		readText(context.getNodeParameter('options.fileName', itemIndex, '')) || binary.fileName || '',
		`recording.${binary.fileExtension ?? 'bin'}`,
	);
	const contentType = readContentType(context, itemIndex, binary);
	warnOfUnlistedFormat(context, fileName);
	const content = await openContent(context, itemIndex, field, binary);
	if (content.sizeBytes > 0) return { fileName, contentType, binary, ...content };
	const message = `The file '${fileName}' is empty`;
	throw fieldError(context, itemIndex, message, 'Look at the node that made the file.');
}

function readContentType(
	context: IExecuteFunctions,
	itemIndex: number,
	{ mimeType }: IBinaryData,
): string {
	const given = readText(context.getNodeParameter('options.contentType', itemIndex, ''));
	const contentType = (given || mimeType || 'application/octet-stream').trim();
	if (/^[\w.+-]+\/[\w.+-]+(\s*;[\x20-\x7e]*)?$/.test(contentType)) return contentType;
	throw fieldError(
		context,
		itemIndex,
		`'Content Type' is not a media type: ${JSON.stringify(contentType)}`,
		"Use a value such as audio/mpeg, or remove the option to take the file's own.",
	);
}

/** n8n keeps a binary in memory only in its default mode; then it has no id and cannot be streamed. */
async function openContent(
	{ helpers }: IExecuteFunctions,
	itemIndex: number,
	field: string,
	{ id }: IBinaryData,
): Promise<Pick<Source, 'sizeBytes' | 'open'>> {
	if (id === undefined) {
		const content = await helpers.getBinaryDataBuffer(itemIndex, field);
		return { sizeBytes: content.length, open: async () => content };
	}
	const { fileSize } = await helpers.getBinaryMetadata(id);
	return { sizeBytes: fileSize, open: async () => await helpers.getBinaryStream(id) };
}

function warnOfUnlistedFormat(context: IExecuteFunctions, fileName: string): void {
	const extension = extensionOf(fileName);
	if (SUPPORTED_EXTENSIONS.includes(extension)) return;
	addHint(
		context,
		`'${fileName}' goes to the service, but its format is not one the service lists (${SUPPORTED_EXTENSIONS.join(', ')}).`,
	);
}
