import type { IExecuteFunctions, IN8nHttpFullResponse, INodeType } from 'n8n-workflow';

import { PeerNode } from '../peerNode.mts';

/** Timeout of a transfer: n8n's 300 s would end those of 2 GB on a slow machine. */
const TIMEOUT_MS = 3_600_000;

function urlOf(context: IExecuteFunctions, itemIndex: number): string {
	return context.getInputData()[itemIndex].json.url as string;
}

/** How most other nodes move files: they buffer the whole file. */
export const PEER_NODES: Record<string, INodeType> = {
	bufferUpload: new PeerNode('bufferUpload', async (context, itemIndex) => {
		const body = await context.helpers.getBinaryDataBuffer(itemIndex, 'data');
		await context.helpers.httpRequest({
			...{ method: 'PUT', url: urlOf(context, itemIndex), body, timeout: TIMEOUT_MS },
			headers: { 'Content-Type': 'audio/wav', 'Content-Length': body.length },
		});
		return { json: { sizeBytes: body.length } };
	}),
	bufferDownload: new PeerNode('bufferDownload', async (context, itemIndex) => {
		const answer = (await context.helpers.httpRequest({
			...{ url: urlOf(context, itemIndex), encoding: 'arraybuffer', timeout: TIMEOUT_MS },
			returnFullResponse: true,
		})) as IN8nHttpFullResponse;
		const content = answer.body as Buffer;
		const data = await context.helpers.prepareBinaryData(content, 'a.wav', 'audio/wav');
		return { json: {}, binary: { data } };
	}),
};
