import type {
	IBinaryData,
	IBinaryKeyData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { isAwaited } from './deliveries';
import {
	TELLING_BYTES,
	isPageType,
	mediaExtension,
	nameInUrl,
	notMediaReason,
	safeFileName,
	withoutExtension,
} from '../../shared/form/mediaTypes';
import { besides } from '../../shared/form/parameters';
import { readText } from '../../shared/form/texts';
import { takeHead, withHead } from '../../GetResult/download/content';

type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

/** The execution stays parked, and we have responded ourselves. */
const ASLEEP: IWebhookResponseData = { noWebhookResponse: true };

const NO_MEDIA = 'The file is not audio or video';
const OTHER_EDIT = 'This is not the file of the edit that the execution is waiting for';

/**
 * Stores the edited file from the service's PUT and wakes the execution up. If the file is of another edit,
 * incomplete, empty, or not audio or video, it responds with an error status and the execution stays parked.
 */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = context.getRequestObject();
	const response = context.getResponseObject();
	if (!isAwaited(context)) return refuse(response, 409, OTHER_EDIT);
	const contentType = (request.headers['content-type'] ?? '').split(';')[0].trim();
	const mimeType = contentType || 'application/octet-stream';
	const editId = readText(context.evaluateExpression('{{ $json.editId }}'));
	const source = withoutExtension(fileSourceOf(context));
	// The name that the service gives an edited file; it does not overwrite the source in a folder.
	const base = source && `${source}-edited`;
	try {
		if (isPageType(mimeType)) return refuse(response, 415, `${NO_MEDIA}: it is ${mimeType}`);
		const head = await takeHead(request, () => TELLING_BYTES);
		// An empty file is refused as incomplete later.
		const unfit = head.length > 0 ? notMediaReason(head) : undefined;
		if (unfit !== undefined) return refuse(response, 415, `${NO_MEDIA}: ${unfit}`);
		const fileName = `${base || editId || 'edited'}.${mediaExtension(mimeType)}`;
		const content = withHead(request, head);
		const binary = await context.helpers.prepareBinaryData(content, fileName, mimeType);
		const sizeBytes = await storedBytes(context, binary);
		const expectedBytes = Number(request.headers['content-length'] ?? sizeBytes);
		if (sizeBytes !== expectedBytes || sizeBytes === 0) {
			const detail = `The file is incomplete: only ${sizeBytes} of ${expectedBytes} bytes arrived`;
			return refuse(response, 400, detail);
		}
		const field = outputField(context);
		const done = { finished: true, delivered: true, fileName, sizeBytes };
		const sourceFileName = readText(context.evaluateExpression('{{ $json.sourceFileName }}'));
		const json = { editId, ...(sourceFileName && { sourceFileName }), ...done };
		const files = besides({ [field]: binary }, keptFiles(context));
		return { workflowData: [[{ json, binary: files, pairedItem: { item: 0 } }]] };
	} catch {
		// The connection broke. We must not throw: n8n would wake the execution up.
		return refuse(response, 400, 'The connection was lost before the whole file arrived');
	}
}

/** The files of the parked item, if the user keeps them. */
function keptFiles(context: IWebhookFunctions): IBinaryKeyData[] {
	if (context.getNodeParameter('options.keepInputFiles', false) !== true) return [];
	const files: unknown = context.evaluateExpression('{{ $input.item.binary }}');
	return typeof files === 'object' && files !== null ? [files as IBinaryKeyData] : [];
}

/** The edit is charged, so an unusable field name must not cost the file: it becomes `data`. */
function outputField(context: IWebhookFunctions): string {
	const field = readText(context.getNodeParameter('options.binaryPropertyName', 'data')).trim();
	return field === '' || field in {} ? 'data' : field;
}

function refuse(response: Response, status: number, detail: string): IWebhookResponseData {
	if (!response.headersSent && !response.destroyed) response.status(status).json({ detail });
	return ASLEEP;
}

/** The source to name the edited file after: from the parked item, or from the URL of its first file. */
function fileSourceOf(context: IWebhookFunctions): string {
	// With several tracks, 'sourceFileName' names all of them, so use the URL of the first.
	const named = context.evaluateExpression('{{ $json.files?.[1] ? "" : $json.sourceFileName }}');
	const url = readText(context.evaluateExpression('{{ $json.files?.[0] }}'));
	return safeFileName(readText(named) || (URL.canParse(url) ? nameInUrl(url) : ''), '');
}

async function storedBytes(context: IWebhookFunctions, binary: IBinaryData): Promise<number> {
	if (binary.id === undefined) return Buffer.from(binary.data, 'base64').length;
	return (await context.helpers.getBinaryMetadata(binary.id)).fileSize;
}
