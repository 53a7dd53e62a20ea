import type { INodeProperties } from 'n8n-workflow';

import { EDIT_ID_FIELDS } from '../core/form/fields';

/** The form of Delete. */
export const DELETE_FIELDS: INodeProperties[] = [
	{
		displayName:
			'Deletes the edit, its source file and its results permanently. Without this the service deletes them 7 days after processing.',
		name: 'permanenceNotice',
		type: 'notice',
		default: '',
	},
	...EDIT_ID_FIELDS,
];
