import {
	type IAuthenticate,
	type Icon,
	type ICredentialTestRequest,
	type ICredentialType,
	type INodeProperties,
	UserError,
} from 'n8n-workflow';

import { parseBaseUrl } from '../api/credential';

const NOT_THE_SERVICE = 'This host is not the audio editing service. Check the base URL.';

/** What n8n shows when the service answers the test with a status; otherwise only its reason phrase. */
const STATUS_TEXTS: ReadonlyArray<readonly [status: number, message: string]> = [
	[401, 'The service does not know this API key. Check it, or create another in your account.'],
	[403, 'The service refuses this API key. Check in your account whether it is still valid.'],
	[404, NOT_THE_SERVICE],
];

const RULES = [
	...STATUS_TEXTS.map(([value, message]) => ({
		type: 'responseCode' as const,
		properties: { value, message },
	})),
	// Web pages answer 200 as well. Only an account has credit; n8n compares with ===.
	{
		type: 'responseSuccessBody' as const,
		properties: { key: 'credit', value: undefined, message: NOT_THE_SERVICE },
	},
];

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

	// A function, so that n8n's test of the credential says what the nodes say about a base URL; from a
	// request that was not sent, n8n shows only a code such as ERR_INVALID_URL.
	authenticate: IAuthenticate = async ({ baseUrl, apiKey }, options) => {
		const base = parseBaseUrl(baseUrl);
		if (!base.ok) throw new UserError(`The 'Base URL' ${base.reason}.`);
		return { ...options, headers: { ...options.headers, 'X-API-Key': String(apiKey).trim() } };
	};

	// Drops a trailing slash and a pasted version, as api/credential.ts does.
	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{$credentials.baseUrl.trim().replace(/\\/+$/, "").replace(/\\/v\\d+$/, "")}}',
			url: '/v1/account',
			disableFollowRedirect: true,
		},
		// n8n's type allows only one kind of rule, but its code applies both.
		rules: RULES as ICredentialTestRequest['rules'],
	};
}
