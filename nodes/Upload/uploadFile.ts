import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Client } from '../../api/client';
import { type Outcome, success } from '../../api/outcome';
import { backoffMs, isTransient } from '../../api/retry';
import { systemTime } from '../../api/time';
import { FailFast } from '../shared/failFast';
import { handleEachItem } from '../shared/items';
import { readTransfersAtOnce } from '../shared/parameters';
import { openService, valueOrThrow } from '../shared/service';
import { signLink } from './signedLink';
import { type Source, fileNameOf, readSource } from './source';

/** A broken transfer begins again, from a new signed URL, at most so often. */
const TRANSFERS_MAXIMUM = 3;

/** Hands over the binary files of all items. */
export async function uploadItems(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const failFast = new FailFast();
	const handle = async (itemIndex: number) => await uploadItem(context, failFast, itemIndex);
	const known = (itemIndex: number) => ({ sourceFileName: fileNameOf(context, itemIndex) });
	const atOnce = () => readTransfersAtOnce(context);
	const onRetry = 'It sends all files again; nothing is charged for uploads.';
	return await handleEachItem(context, handle, { known, atOnce, onRetry });
}

/** Hands over the binary file of one item and says under which URL the service finds it. */
async function uploadItem(
	context: IExecuteFunctions,
	failFast: FailFast,
	itemIndex: number,
): Promise<INodeExecutionData> {
	const source = await readSource(context, itemIndex);
	const { fileName, sizeBytes, contentType } = source;
	const isLink = context.getNodeParameter('options.transfer', itemIndex, 'upload') === 'link';
	const fileUrl = isLink
		? await signLink(context, itemIndex, source)
		: await upload(context, failFast, itemIndex, source);
	return { json: { fileUrl, fileName, sizeBytes, contentType } };
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
