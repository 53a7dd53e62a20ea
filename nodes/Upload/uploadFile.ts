import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Client } from '../../api/client';
import { COMMON_EXTENSIONS } from '../../api/contract';
import { type RequestFailure, type Result, success } from '../../api/failure';
import { backoffMs, isTransient } from '../../api/retry';
import { systemTime } from '../../api/time';
import { valueOrThrow } from '../shared/errors';
import { extensionOf } from '../shared/fileNames';
import { filesOf } from '../shared/inputItem';
import { fieldError, readTransfersAtOnce } from '../shared/parameters';
import type { NodeWork } from '../shared/runNode';
import { openService } from '../shared/service';
import { readFields } from './readFields';
import { signLink } from './signedLink';
import { type Source, fileNamesOf, readSource } from './source';

/** After a broken transfer we request a new signed URL and start again, up to this many transfers. */
const TRANSFERS_MAXIMUM = 3;

interface UploadForm {
	readonly itemIndex: number;
	readonly fields: readonly string[];
	/** Whether the service gets a signed link to n8n's copy instead. */
	readonly isLink: boolean;
}

/** Uploads the files of each item. */
export const UPLOAD_WORK: NodeWork<UploadForm> = {
	read: readForm,
	handle: uploadFiles,
	known: (context, itemIndex) => {
		const fields = readFields(context, itemIndex);
		return { sourceFileName: fileNamesOf(context, itemIndex, fields) };
	},
	atOnce: readTransfersAtOnce,
	onRetry: 'It sends all files again; nothing is charged for uploads.',
	progress: ['uploaded', 'items'],
};

function readForm(context: IExecuteFunctions, [itemIndex]: readonly number[]): UploadForm {
	const isLink = context.getNodeParameter('options.transfer', itemIndex, 'upload') === 'link';
	const fields = readFields(context, itemIndex);
	if (fields.length > 1 && context.getNodeParameter('options.fileName', itemIndex, '')) {
		throw fieldError(
			context,
			itemIndex,
			`'File Name' is for one file, and the item has ${fields.length} to upload`,
			'Remove the option; each file then keeps its own name.',
		);
	}
	return { itemIndex, fields, isLink };
}

/** Uploads the files of one item, and returns their URLs. */
async function uploadFiles(
	context: IExecuteFunctions,
	{ itemIndex, fields, isLink }: UploadForm,
): Promise<INodeExecutionData[][]> {
	const sources: Source[] = [];
	// Check all files before sending the first: half a recording is useless.
	for (const field of fields) sources.push(await readSource(context, itemIndex, field));
	const files: UploadedFile[] = [];
	for (const source of sources) {
		const { fileName, sizeBytes, contentType } = source;
		const fileUrl = await (isLink ? signLink : upload)(context, itemIndex, source);
		files.push({ fileUrl, fileName, sizeBytes, contentType });
	}
	return [[{ json: summaryOf(files), ...filesOf(context, [itemIndex]) }]];
}

interface UploadedFile extends IDataObject {
	fileUrl: string;
	fileName: string;
	sizeBytes: number;
	contentType: string;
}

function summaryOf(files: readonly UploadedFile[]): IDataObject {
	const sourceFileName = files.map(({ fileName }) => fileName).join(', ');
	if (files.length === 1) return { ...files[0], sourceFileName };
	return { fileUrls: files.map(({ fileUrl }) => fileUrl), sourceFileName, files: [...files] };
}

async function upload(
	context: IExecuteFunctions,
	itemIndex: number,
	source: Source,
): Promise<string> {
	const { client, failFast } = await openService(context);
	const signal = context.getExecutionCancelSignal();
	const uploaded =
		failFast.verdict() ?? failFast.learn(itemIndex, await transferFile(client, source, signal));
	const doing = `upload '${source.fileName}'`;
	const note = uploaded.ok ? undefined : formatNote(uploaded.failure, source.fileName);
	return valueOrThrow(uploaded, context.getNode(), { itemIndex, doing, note });
}

/** The statuses with which a service may refuse the format of a file. */
const REFUSED_FORMAT_STATUSES: ReadonlySet<number> = new Set([400, 415, 422]);

const COMMON: readonly string[] = COMMON_EXTENSIONS;

/**
 * What else to say about a refused file. Not a hint on every upload: the spec lists more formats than
 * these four, and most services accept them.
 */
function formatNote({ status = 0 }: RequestFailure, fileName: string): string | undefined {
	const mayBeFormat =
		REFUSED_FORMAT_STATUSES.has(status) && !COMMON.includes(extensionOf(fileName));
	return mayBeFormat
		? 'Some services accept only WAV, MP3, FLAC and M4A: convert the file to one of these.'
		: undefined;
}

/** The file's URL: the signed URL without its signature, which must not leave this node. */
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
): Promise<Result<string>> {
	for (let transfers = 1; ; transfers++) {
		const link = await client.requestUpload(source.fileName);
		if (!link.ok) return link;
		const { signedUrl } = link.value;
		const { contentType, sizeBytes } = source;
		const content = await source.open();
		const sent = await client.putFile(signedUrl, { content, sizeBytes, contentType });
		// An unfinished stream would keep the file open.
		if (!Buffer.isBuffer(content)) content.destroy();
		if (sent.ok) return success(withoutQuery(signedUrl));
		if (!isTransient(sent.failure) || transfers >= TRANSFERS_MAXIMUM) return sent;
		await systemTime.sleep(backoffMs(sent.failure, transfers, systemTime.random()), signal);
	}
}
