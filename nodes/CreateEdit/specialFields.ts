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
			'Further settings for a service that takes more than this form has. They are sent as they are: nothing checks them, and the edit is charged even if a key is misspelt.',
		hint: 'Sent unchecked. The service may refuse or ignore them.',
	},
	{
		displayName: 'Send Page Links Anyway',
		name: 'sendPageLinks',
		type: 'boolean',
		default: true,
		description:
			'Whether to send links to web pages, such as video pages, instead of refusing them. Only some services fetch the recording from such a page; the others charge for the edit and end it with FAILURE.',
	},
];
