import type {
	IBinaryData,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { operationError } from '../../api/errors';
import { systemTime } from '../../api/time';
import { refuseFailed } from '../shared/carriedFailure';
import { mediaExtension } from '../shared/fileNames';
import { withoutPassingOn } from '../shared/items';
import { readEditId, readText } from '../shared/parameters';
import { maximumWaitMs } from './readOrder';

/** n8n keeps shorter waits in memory, where they would not outlive a restart. */
const SHORTEST_PARK_MS = 65_000;

/**
 * Puts the execution to sleep in n8n's database until the service delivers the file to its resume
 * URL or the time is up. n8n then passes the parked input on by itself, so that input says here
 * already what will be true then: the edit is not known to be finished.
 */
export async function parkExecution(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	return await withoutPassingOn(context, async () => await park(context));
}

async function park(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const items = context.getInputData();
	if (items.length > 1) {
		throw operationError(
			context.getNode(),
			`'Park Until Delivered' waits for one item in an execution, and there are ${items.length}`,
			{
				description:
					'An execution has one address to deliver to. Give each item an execution of its own, with Execute Sub-workflow for each item, or choose another way under While Waiting.',
			},
		);
	}
	refuseFailed(context, 0);
	const [item] = items;
	const editId = readEditId(context, 0);
	const parked = { ...item, json: { ...item.json, editId, finished: false } };
	context.getExecuteData().data.main[0] = [parked];
	const waitMs = Math.max(SHORTEST_PARK_MS, maximumWaitMs(context));
	await context.putExecutionToWait(new Date(systemTime.timeOfDay() + waitMs));
	context.logger.info(`Audio editing: waiting for the delivery of edit ${editId}`, { editId });
	return [parked];
}

/**
 * Takes the service's PUT of the finished file into n8n's binary store and wakes the execution up. A
 * broken-off or empty PUT is answered with an error status, and the execution goes on sleeping.
 */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = context.getRequestObject();
	const response = context.getResponseObject();
	// The parked item carries the ID that was read when the wait began.
	const editId = readText(context.evaluateExpression('{{ $json.editId }}'));
	const contentType = (request.headers['content-type'] ?? '').split(';')[0].trim();
	const mimeType = contentType || 'application/octet-stream';
	const fileName = `${editId || 'edited'}.${mediaExtension(mimeType)}`;
	try {
		const binary = await context.helpers.prepareBinaryData(request, fileName, mimeType);
		const sizeBytes = await storedBytes(context, binary);
		const expectedBytes = Number(request.headers['content-length'] ?? sizeBytes);
		if (sizeBytes > 0 && sizeBytes === expectedBytes) {
			const field = context.getNodeParameter('binaryPropertyName', 'data') as string;
			const json = { editId, finished: true, delivered: true, fileName, sizeBytes };
			return { workflowData: [[{ json, binary: { [field]: binary }, pairedItem: { item: 0 } }]] };
		}
		const detail = `The file is not complete: ${sizeBytes} of ${expectedBytes} bytes arrived`;
		response.status(400).json({ detail });
	} catch {
		// The connection broke off. Nothing may be thrown here: n8n would wake the execution up.
		if (!response.headersSent && !response.destroyed) {
			response.status(400).json({ detail: 'The file did not arrive' });
		}
	}
	return { noWebhookResponse: true };
}

async function storedBytes(context: IWebhookFunctions, binary: IBinaryData): Promise<number> {
	if (binary.id === undefined) return Buffer.from(binary.data, 'base64').length;
	return (await context.helpers.getBinaryMetadata(binary.id)).fileSize;
}
