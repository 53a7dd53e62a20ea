import type { INode } from 'n8n-workflow';

import { PACKAGE } from '../../support/places.mts';

type Link = Pick<INode, 'name' | 'type'> & Partial<INode>;

/** The service, and the key it takes. */
export interface Access {
	readonly baseUrl: string;
	readonly apiKey: string;
}

/** How long n8n's own chain waits for its edits: as long as one is at work, and some seconds. */
const MARGIN_SECONDS = 5;

/** The chain of our nodes. Makes an item of each entry in the body of a request to `path`. */
export function ourChain(path: string): Link[] {
	return [
		...itemsOfBody(path),
		{
			name: 'Create Edit',
			type: `${PACKAGE}.createEdit`,
			// Dragged from the input, as most people fill a field.
			parameters: { fileUrls: '={{ $json.fileUrl }}' },
		},
		{ name: 'Wait For Edit', type: `${PACKAGE}.waitForEdit`, typeVersion: 2 },
		{ name: 'Get Result', type: `${PACKAGE}.getResult` },
	];
}

/** n8n's own nodes for the same requests: they know no limits, statuses or failures. */
export function n8nChain(path: string, { baseUrl, apiKey }: Access, editSeconds: number): Link[] {
	const headers = { parameters: [{ name: 'X-API-Key', value: apiKey }] };
	const request = (name: string, parameters: INode['parameters']): Link => ({
		name,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: { ...parameters, sendHeaders: true, headerParameters: headers },
	});
	const input = '{ files: [$json.fileUrl], config: { remove_noise: true, normalize: true } }';
	const seconds = editSeconds + MARGIN_SECONDS;
	return [
		...itemsOfBody(path),
		request('Create', {
			method: 'POST',
			url: `${baseUrl}/v2/edits`,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: `={{ JSON.stringify({ input: ${input} }) }}`,
		}),
		{
			name: 'Wait',
			type: 'n8n-nodes-base.wait',
			typeVersion: 1.1,
			parameters: { resume: 'timeInterval', amount: seconds, unit: 'seconds' },
			webhookId: path,
		},
		request('Read', { url: `=${baseUrl}/v2/edits/{{ $json.id }}` }),
		request('Download', {
			url: '={{ $json.result.download_url }}',
			options: { response: { response: { responseFormat: 'file' } } },
		}),
	];
}

function itemsOfBody(path: string): Link[] {
	return [
		{
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
			webhookId: path,
		},
		{
			name: 'Split Out',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'body', options: {} },
		},
	];
}
