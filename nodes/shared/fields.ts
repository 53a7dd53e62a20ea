import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { CREDENTIAL_NAME } from '../../api/credential';

/** What every node of the package says alike; n8n's lint wants the icons in each node's own file. */
export const COMMON_DESCRIPTION = {
	version: 1,
	credentials: [{ name: CREDENTIAL_NAME, required: true }],
} satisfies Partial<INodeTypeDescription>;

/** The edit's id; reads what the node before gives out, so that a chain works with no typing. */
export const EDIT_ID_FIELD: INodeProperties = {
	displayName: 'Edit ID',
	name: 'editId',
	type: 'string',
	required: true,
	default: '={{ $json.editId }}',
	placeholder: 'e.g. 7f9c24e5-2d1b-4f0e-9a53-0c3b1f6f2a11',
	description: 'ID of the edit, as given out by Create Edit',
};

/** Whether the output is the summary or everything. */
export const SIMPLIFY_FIELD: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** How many files travel at the same time, an entry of the node's options. */
export const TRANSFERS_AT_ONCE_FIELD: INodeProperties = {
	displayName: 'Transfers at Once',
	name: 'transfersAtOnce',
	type: 'number',
	default: 2,
	typeOptions: { minValue: 1, maxValue: 10, numberPrecision: 0 },
	description: 'How many items have their files on the way at the same time',
};
