import type { INodeProperties } from 'n8n-workflow';

import { configurationField } from '../shared/form/configurations';
import { SIMPLIFY_FIELD, optionsField } from '../shared/form/fields';

const LISTS = { show: { resource: ['completedTask', 'configuration'], operation: ['getAll'] } };

/** The form of Account. */
export const ACCOUNT_FIELDS: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		default: 'account',
		options: [
			{ name: 'Account', value: 'account' },
			{ name: 'Completed Task', value: 'completedTask' },
			{ name: 'Service', value: 'service' },
			{ name: 'Template', value: 'configuration' },
		],
	},
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: 'getCredit',
		displayOptions: { show: { resource: ['account'] } },
		options: [
			{
				name: 'Get Credit',
				value: 'getCredit',
				action: 'Get remaining credit',
				description: 'Retrieve the credit that is left, and stop the workflow when it runs low',
			},
		],
	},
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: 'getAll',
		displayOptions: { show: { resource: ['completedTask'] } },
		options: [
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many completed tasks',
				description: 'Retrieve the tasks of a template that were completed in the last 7 days',
			},
		],
	},
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: 'get',
		displayOptions: { show: { resource: ['configuration'] } },
		options: [
			{
				name: 'Get',
				value: 'get',
				action: 'Get template',
				description: 'Retrieve a template with its settings',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many templates',
				description: 'Retrieve the templates stored in the account',
			},
		],
	},
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: 'checkHealth',
		displayOptions: { show: { resource: ['service'] } },
		options: [
			{
				name: 'Check Health',
				value: 'checkHealth',
				action: 'Check service health',
				description: 'Ask the service whether it is up; needs no valid API key',
			},
		],
	},
	configurationField({
		displayName: 'Template',
		name: 'configurationId',
		description: 'The template to read',
		displayOptions: { show: { resource: ['configuration'], operation: ['get'] } },
	}),
	configurationField({
		displayName: 'Template',
		name: 'configurationId',
		description: 'The template that the edits were created from',
		displayOptions: { show: { resource: ['completedTask'], operation: ['getAll'] } },
	}),
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		displayOptions: LISTS,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		displayOptions: { show: { ...LISTS.show, returnAll: [false] } },
		description: 'Max number of results to return',
	},
	{ ...SIMPLIFY_FIELD, displayOptions: { show: { resource: ['account', 'completedTask'] } } },
	{
		...optionsField([
			{
				displayName: 'Fail When Below',
				name: 'failBelow',
				type: 'number',
				default: 10,
				typeOptions: { minValue: 0 },
				description:
					'The lowest total credit with which the workflow continues. Below it, the node fails.',
			},
		]),
		displayOptions: { show: { resource: ['account'] } },
	},
];
