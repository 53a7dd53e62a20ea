import type { INodeProperties } from 'n8n-workflow';

/** The name of the group; its options are read as `special.<name>`. */
export const SPECIAL = 'special';

/** Options for services that take more than the interface describes. */
export const SPECIAL_FIELDS: INodeProperties[] = [
	{
		displayName: 'Additional Keys (JSON)',
		name: 'additionalKeys',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. { "automix": true }',
		description:
			'More settings for a service that accepts them. They are sent unchecked: the service may refuse or ignore them. An accepted edit is charged even if a name is misspelt.',
	},
	{
		displayName: 'Send Page Links Anyway',
		name: 'sendPageLinks',
		type: 'boolean',
		default: true,
		description:
			'Whether to send links to web pages, such as video pages, instead of refusing them. Some services fetch the recording from such a page. With other services the edit ends in FAILURE, and may be charged.',
	},
];
