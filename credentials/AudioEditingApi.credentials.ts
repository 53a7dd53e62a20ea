import {
	type IAuthenticate,
	type Icon,
	type ICredentialType,
	type INodeProperties,
	UserError,
} from 'n8n-workflow';

import { parseBaseUrl } from '../api/credential';

export class AudioEditingApi implements ICredentialType {
	name = 'audioEditingApi';

	displayName = 'Audio Editing API';

	icon: Icon = {
		light: 'file:../icons/audio-editing.svg',
		dark: 'file:../icons/audio-editing.dark.svg',
	};

	documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-audio-editing';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://api.example.com',
			description:
				"The root URL of the service's host. For this package's local service: http://127.0.0.1:8787.",
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'You create it in your account, under API keys. The account shows it only once.',
		},
		{
			displayName: 'Plan',
			name: 'plan',
			type: 'options',
			default: 'standard',
			description: 'How many uploads and edits in total the service allows this key per minute',
			options: [
				{ name: 'Standard (30 a Minute)', value: 'standard' },
				{ name: 'Enterprise (100 a Minute)', value: 'enterprise' },
				{ name: 'Custom', value: 'custom' },
			],
		},
		{
			displayName: 'Uploads and Edits per Minute',
			name: 'submissionsPerMinute',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 30,
			displayOptions: { show: { plan: ['custom'] } },
			description:
				'How many uploads and edits n8n may send per minute. Enter less than your plan allows if other applications use the same key.',
		},
		{
			displayName: 'Number of n8n Workers',
			name: 'numberOfWorkers',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 1,
			description:
				'How many n8n processes use this key, such as the workers in queue mode. Each keeps to its share of the rate limits.',
		},
	];

	// A function, so that n8n's HTTP Request node, which may use the credential, too, says what the nodes say about a
	// base URL. The nodes test the credential (nodes/core/run/testCredential.ts).
	authenticate: IAuthenticate = async ({ baseUrl, apiKey }, options) => {
		const base = parseBaseUrl(baseUrl);
		if (!base.ok) throw new UserError(`The 'Base URL' ${base.reason}.`);
		return { ...options, headers: { ...options.headers, 'X-API-Key': String(apiKey).trim() } };
	};
}
