import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { configurationField } from '../core/form/templateField';
import { SIMPLIFY_FIELD } from '../core/form/fields';
import { REVIEW_FIELDS } from './reviewFields';
import { optionsField } from '../core/form/optionGroups';
import { choices, numberField, toggle } from '../core/form/build';

const LISTS = { show: { resource: ['completedTask', 'configuration'], operation: ['getAll'] } };

/** The operations of a resource, of which the first is the default. */
function operations(resource: string, ...options: INodePropertyOptions[]): INodeProperties {
	const [{ value }] = options;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: value,
		displayOptions: { show: { resource: [resource] } },
		options,
	};
}

/** The form of Account. */
export const ACCOUNT_FIELDS: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		default: 'account',
		options: choices({
			account: 'Account',
			completedTask: 'Completed Task',
			edit: 'Edit',
			review: 'Review (Local Service)',
			service: 'Service',
			configuration: 'Template',
		}),
	},
	operations('account', {
		name: 'Get Credit',
		value: 'getCredit',
		action: 'Get remaining credit',
		description: 'Retrieve the remaining credit, and stop the workflow if it is too low',
	}),
	operations('completedTask', {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many completed tasks',
		description: 'Retrieve the tasks of a template that were completed in the last 7 days',
	}),
	operations(
		'configuration',
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
	),
	operations('edit', {
		name: 'Get Open Edits',
		value: 'getOpen',
		action: 'Get open edits',
		description:
			"Find edits that were submitted but never fetched, because the execution was stopped or crashed. Takes executions from n8n's own node 'n8n' as input.",
	}),
	operations(
		'review',
		{
			name: 'Get Doubtful Cuts',
			value: 'getDoubtful',
			action: 'Get doubtful cuts',
			description:
				'Retrieve the least certain cuts of an edit that waits for its review, one item a cut, with clips of how it was and will be',
		},
		{
			name: 'Decide',
			value: 'decide',
			action: 'Decide about cuts',
			description: 'Keep or cut single cuts, and approve the edit once, so that it finishes',
		},
	),
	operations('service', {
		name: 'Check Health',
		value: 'checkHealth',
		action: 'Check service health',
		description: 'Check whether the service is up; works without a valid API key',
	}),
	configurationField({
		displayName: 'Template',
		name: 'templateId',
		description: 'The template to read',
		displayOptions: { show: { resource: ['configuration'], operation: ['get'] } },
	}),
	configurationField({
		displayName: 'Template',
		name: 'templateId',
		description: 'The template that the edits were created from',
		displayOptions: { show: { resource: ['completedTask'], operation: ['getAll'] } },
	}),
	...REVIEW_FIELDS,
	toggle('returnAll', 'Return All', 'Whether to return all results or only up to a given limit', {
		default: false,
		displayOptions: LISTS,
	}),
	numberField('limit', 'Limit', 50, 'Max number of results to return', {
		typeOptions: { minValue: 1 },
		displayOptions: { show: { ...LISTS.show, returnAll: [false] } },
	}),
	{ ...SIMPLIFY_FIELD, displayOptions: { show: { resource: ['account', 'completedTask'] } } },
	{
		...optionsField([
			numberField(
				'failBelow',
				'Fail When Below',
				10,
				'The lowest total credit at which the workflow continues. Below it, the node fails.',
				{ typeOptions: { minValue: 0 } },
			),
		]),
		displayOptions: { show: { resource: ['account'] } },
	},
];
