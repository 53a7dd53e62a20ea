import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Client } from '../../api/client';
import { SUPPORTED_AUDIO_EXTENSIONS, SUPPORTED_VIDEO_EXTENSIONS } from '../../api/contract';
import { type Outcome, success } from '../../api/outcome';
import { backoffMs, isTransient } from '../../api/retry';
import { systemTime } from '../../api/time';
import type { FileBody } from '../../api/transport';
import { extensionOf, safeFileName } from '../shared/fileNames';
import { addHint } from '../shared/items';
import { fieldError, readText } from '../shared/parameters';
import { openService, valueOrThrow } from '../shared/service';

/** A file of an item, ready to be sent as often as needed. */
interface Source {
	fileName: string;
	contentType: string;
	sizeBytes: number;
	/** Opens the content anew: a stream can be read only once. */
	open(): Promise<FileBody['content']>;
}

interface UploadOptions {
	fileName?: unknown;
	contentType?: unknown;
}

/** A broken transfer begins again, from a new signed URL, at most so often. */
const TRANSFERS_MAXIMUM = 3;

const SUPPORTED_EXTENSIONS: readonly string[] = [
	...SUPPORTED_AUDIO_EXTENSIONS,
	...SUPPORTED_VIDEO_EXTENSIONS,
];

/** Uploads the binary file of one item and says under which URL the service knows it. */
export async function uploadItem(
	context: IExecuteFunctions,
	itemIndex: number,
): Promise<INodeExecutionData> {
	const source = await readSource(context, itemIndex);
	const { client } = await openService(context);
	const transferred = await transferFile(client, source, context.getExecutionCancelSignal());
	const fileUrl = valueOrThrow(transferred, context.getNode(), {
		itemIndex,
		doing: `upload '${source.fileName}'`,
	});
	const { fileName, sizeBytes, contentType } = source;
	return { json: { fileUrl, fileName, sizeBytes, contentType } };
}

async function readSource(context: IExecuteFunctions, itemIndex: number): Promise<Source> {
	const field = context.getNodeParameter('binaryPropertyName', itemIndex) as string;
	const options = context.getNodeParameter('options', itemIndex, {}) as UploadOptions;
	const binary = context.helpers.assertBinaryData(itemIndex, field);
	const fileName = safeFileName(
		readText(options.fileName) || binary.fileName || '',
		`recording.${binary.fileExtension ?? 'bin'}`,
	);
	const given = readText(options.contentType) || binary.mimeType;
	const contentType = (given || 'application/octet-stream').trim();
	if (!/^[\w.+-]+\/[\w.+-]+(\s*;[\x20-\x7e]*)?$/.test(contentType)) {
		throw fieldError(
			context,
			itemIndex,
			`'Content Type' is not a media type: ${JSON.stringify(contentType)}`,
			"Use a value such as audio/mpeg, or remove the option to take the file's own.",
		);
	}
	warnOfUnlistedFormat(context, fileName);
	// n8n keeps a binary in memory only in its default mode; then it has no id and cannot be streamed.
	const { id } = binary;
	if (id === undefined) {
		const content = await context.helpers.getBinaryDataBuffer(itemIndex, field);
		return refuseEmpty(context, itemIndex, {
			fileName,
			contentType,
			sizeBytes: content.length,
			open: async () => content,
		});
	}
	const { fileSize } = await context.helpers.getBinaryMetadata(id);
	return refuseEmpty(context, itemIndex, {
		fileName,
		contentType,
		sizeBytes: fileSize,
		open: async () => await context.helpers.getBinaryStream(id),
	});
}

function refuseEmpty(context: IExecuteFunctions, itemIndex: number, source: Source): Source {
	if (source.sizeBytes > 0) return source;
	const message = `The file '${source.fileName}' is empty`;
	throw fieldError(context, itemIndex, message, 'Look at the node that made the file.');
}

function warnOfUnlistedFormat(context: IExecuteFunctions, fileName: string): void {
	const extension = extensionOf(fileName);
	if (SUPPORTED_EXTENSIONS.includes(extension)) return;
	addHint(
		context,
		`'${fileName}' was uploaded, but its format is not one the service lists (${SUPPORTED_EXTENSIONS.join(', ')}).`,
	);
}

/** The file's URL: the signed URL without its query, which must not leave this node. */
function withoutQuery(signedUrl: string): string {
	const url = new URL(signedUrl);
	url.search = '';
	url.hash = '';
	return url.toString();
}

async function transferFile(
	client: Client,
	source: Source,
	signal?: AbortSignal,
): Promise<Outcome<string>> {
	for (let transfers = 1; ; transfers++) {
		const link = await client.requestUpload(source.fileName);
		if (!link.ok) return link;
		const { signedUrl } = link.value;
		const { contentType, sizeBytes } = source;
		const content = await source.open();
		const sent = await client.putFile(signedUrl, { content, sizeBytes, contentType });
		// What was not sent to its end would keep the file open.
		if (!Buffer.isBuffer(content)) content.destroy();
		if (sent.ok) return success(withoutQuery(signedUrl));
		if (!isTransient(sent.failure) || transfers >= TRANSFERS_MAXIMUM) return sent;
		await systemTime.sleep(backoffMs(sent.failure, transfers, systemTime.random()), signal);
	}
}
