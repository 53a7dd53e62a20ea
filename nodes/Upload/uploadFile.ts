import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Client } from '../../api/client';
import { type Result, success } from '../../api/failure';
import { backoffMs, isTransient } from '../../api/retry';
import { systemTime } from '../../api/time';
import { FailFast } from '../shared/failFast';
import { handleEachItem } from '../shared/items';
import { filesOf } from '../shared/inputItem';
import { fieldError, readTransfersAtOnce } from '../shared/parameters';
import { Batch } from '../shared/progress';
import { openService, valueOrThrow } from '../shared/service';
import { signLink } from './signedLink';
import { readFields } from './readFields';
import { type Source, fileNamesOf, readSource } from './source';

/** A broken transfer begins again, from a new signed URL, at most so often. */
const TRANSFERS_MAXIMUM = 3;

/** Hands over the binary files of all items. */
export async function uploadItems(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const batch = new Batch(context, 'uploaded', 'items', context.getInputData().length);
	const failFast = new FailFast();
	const handle = async (itemIndex: number) => {
		const item = await uploadItem(context, failFast, itemIndex);
		batch.step();
		return item;
	};
	const known = (itemIndex: number) => {
		const fields = readFields(context, itemIndex);
		return { sourceFileName: fileNamesOf(context, itemIndex, fields) };
	};
	const atOnce = () => readTransfersAtOnce(context);
	const onRetry = 'It sends all files again; nothing is charged for uploads.';
	return await handleEachItem(context, handle, { known, atOnce, onRetry });
}

/** Hands over the files of one item and says under which URLs the service finds them. */
async function uploadItem(
	context: IExecuteFunctions,
	failFast: FailFast,
	itemIndex: number,
): Promise<INodeExecutionData> {
	const isLink = context.getNodeParameter('options.transfer', itemIndex, 'upload') === 'link';
	const fields = readFields(context, itemIndex);
	refuseSharedName(context, itemIndex, fields);
	const sources: Source[] = [];
	// All are looked at before the first is sent: half of a recording is of no use.
	for (const field of fields) sources.push(await readSource(context, itemIndex, field));
	const files: UploadedFile[] = [];
	for (const source of sources) {
		const { fileName, sizeBytes, contentType } = source;
		const fileUrl = isLink
			? await signLink(context, itemIndex, source)
			: await upload(context, failFast, itemIndex, source);
		files.push({ fileUrl, fileName, sizeBytes, contentType });
	}
	return { json: summaryOf(files), ...filesOf(context, [itemIndex]) };
}

function refuseSharedName(
	context: IExecuteFunctions,
	itemIndex: number,
	{ length: count }: readonly string[],
): void {
	if (count < 2 || !context.getNodeParameter('options.fileName', itemIndex, '')) return;
	throw fieldError(
		context,
		itemIndex,
		`'File Name' is for one file, and the item has ${count} to upload`,
		'Remove the option; each file then keeps its own name.',
	);
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
	failFast: FailFast,
	itemIndex: number,
	source: Source,
): Promise<string> {
	const { client } = await openService(context);
	const signal = context.getExecutionCancelSignal();
	const send = async () => await transferFile(client, source, signal);
	const transferred = await failFast.attempt(itemIndex, send);
	const doing = `upload '${source.fileName}'`;
	return valueOrThrow(transferred, context.getNode(), { itemIndex, doing });
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
): Promise<Result<string>> {
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
