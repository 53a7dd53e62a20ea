import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { editIdFields, SIMPLIFY_FIELD, TRANSFERS_AT_ONCE_FIELD } from '../shared/fields';
import { KEEP_INPUT_FILES_FIELD } from '../shared/inputItem';
import { EXTRA_FIELDS, TRANSCRIPT_OPTIONS } from './extraFields';

/** The files of a result. */
export const DOWNLOAD_OPTIONS: INodePropertyOptions[] = [
	{ name: 'Edited File', value: 'edited' },
	{ name: 'Markers', value: 'markers', description: 'Needs Export Timestamps on the edit' },
	{ name: 'Merged Audio', value: 'merged', description: 'Needs Merge Tracks on the edit' },
];

const ONE_ITEM_PER_FILE: INodeProperties = {
	displayName: 'One Item per File',
	name: 'oneItemPerFile',
	type: 'boolean',
	default: false,
	description:
		"Whether to return each file as its own item, so that one node after this one stores all of them. What you choose under 'Also Return' becomes files, too.",
};

/** The form of Get Result. */
export const GET_RESULT_FIELDS: INodeProperties[] = [
	...editIdFields(2),
	{
		displayName: 'Download',
		name: 'download',
		type: 'multiOptions',
		default: ['edited'],
		description: 'Which files to fetch into n8n; leave empty to get the links only',
		options: DOWNLOAD_OPTIONS,
	},
	{
		displayName: 'Put Output File in Field',
		name: 'binaryPropertyName',
		type: 'string',
		required: true,
		default: 'data',
		placeholder: 'e.g. data',
		hint: 'The name of the output field to put the edited file in. Further files get names such as data_markers_1.',
		description:
			'The name of the output field to put the edited file in. Further files get names such as data_markers_1.',
		displayOptions: { show: { download: ['edited', 'merged', 'markers'] } },
	},
	...EXTRA_FIELDS,
	SIMPLIFY_FIELD,
	KEEP_INPUT_FILES_FIELD,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [ONE_ITEM_PER_FILE, ...TRANSCRIPT_OPTIONS, TRANSFERS_AT_ONCE_FIELD],
	},
];
