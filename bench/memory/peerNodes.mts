import type {
	IBinaryData,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';

import { PeerNode } from '../peerNode.mts';

/** Timeout of a transfer: n8n's 300 s would end those of 2 GB on a slow machine. */
const TIMEOUT_MS = 3_600_000;

const EXACT = { disableFollowRedirect: true };

async function put(
	context: IExecuteFunctions,
	url: string,
	body: IHttpRequestOptions['body'],
	sizeBytes: number,
	options: Partial<IHttpRequestOptions> = {},
): Promise<INodeExecutionData> {
	await context.helpers.httpRequest({
		...options,
		method: 'PUT',
		url,
		body,
		headers: { 'Content-Type': 'audio/wav', 'Content-Length': sizeBytes },
		timeout: TIMEOUT_MS,
	});
	return { json: { sizeBytes } };
}

async function putStream(
	context: IExecuteFunctions,
	itemIndex: number,
	options?: Partial<IHttpRequestOptions>,
): Promise<INodeExecutionData> {
	const { id = '' } = context.helpers.assertBinaryData(itemIndex, 'data');
	const { fileSize } = await context.helpers.getBinaryMetadata(id);
	const content = await context.helpers.getBinaryStream(id);
	return await put(context, urlOf(context, itemIndex), content, fileSize, options);
}

async function get(
	context: IExecuteFunctions,
	url: string,
	encoding: 'arraybuffer' | 'stream',
	options: Partial<IHttpRequestOptions> = {},
): Promise<INodeExecutionData> {
	const answer = (await context.helpers.httpRequest({
		...options,
		url,
		encoding,
		returnFullResponse: true,
		timeout: TIMEOUT_MS,
	})) as IN8nHttpFullResponse;
	const content = answer.body as Parameters<typeof context.helpers.prepareBinaryData>[0];
	const data: IBinaryData = await context.helpers.prepareBinaryData(content, 'a.wav', 'audio/wav');
	return { json: {}, binary: { data } };
}

function urlOf(context: IExecuteFunctions, itemIndex: number): string {
	const { url } = context.getInputData()[itemIndex].json as IDataObject & { url: string };
	return url;
}

/** How other nodes move files, by client and direction. */
export const PEER_NODES: Record<string, INodeType> = {
	/** Most nodes: they buffer the whole file. */
	bufferUpload: new PeerNode('bufferUpload', async (context, itemIndex) => {
		const content = await context.helpers.getBinaryDataBuffer(itemIndex, 'data');
		return await put(context, urlOf(context, itemIndex), content, content.length);
	}),
	bufferDownload: new PeerNode('bufferDownload', async (context, itemIndex) => {
		return await get(context, urlOf(context, itemIndex), 'arraybuffer');
	}),
	/** n8n's HTTP Request node: it streams, and follows redirects. */
	redirectsUpload: new PeerNode('redirectsUpload', putStream),
	redirectsDownload: new PeerNode('redirectsDownload', async (context, itemIndex) => {
		return await get(context, urlOf(context, itemIndex), 'stream');
	}),
	/** What n8n needs for any node: the least one can do. */
	helpersUpload: new PeerNode('helpersUpload', async (context, itemIndex) => {
		return await putStream(context, itemIndex, EXACT);
	}),
	helpersDownload: new PeerNode('helpersDownload', async (context, itemIndex) => {
		return await get(context, urlOf(context, itemIndex), 'stream', EXACT);
	}),
};
