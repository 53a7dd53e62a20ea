import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import {
	EDIT_ID_FIELDS,
	outputFields,
	TRANSFERS_AT_ONCE_FIELD,
	KEEP_INPUT_FILES_FIELD,
} from '../shared/form/fields';
import { FORMAT_FIELDS } from './texts/formatFields';
import { SPEAKER_OPTIONS } from './texts/speakerNames';
import { CUT_SOUNDBITES, TAG_FIELDS } from './tags/tagFields';

/** The files of a result. */
export const DOWNLOAD_OPTIONS: INodePropertyOptions[] = [
	{ name: 'Edited File', value: 'edited' },
	{ name: 'Markers', value: 'markers', description: "Needs 'Export Timestamps' on the edit" },
	{
		name: 'Merged Audio',
		value: 'merged',
		description:
			"Needs 'Merge Tracks' on the edit. The local service also returns the sound of 'Audio for EDL' here.",
	},
];

/** The node's options for the transcript. */
const TRANSCRIPT_OPTIONS: INodeProperties[] = [
	{
		displayName: 'Speakers in Transcript',
		name: 'transcriptSpeakers',
		type: 'boolean',
		default: true,
		description: 'Whether the transcript names who speaks',
	},
	{
		displayName: 'Times in Transcript',
		name: 'transcriptTimes',
		type: 'boolean',
		default: false,
		description: 'Whether each paragraph of the transcript begins with its time',
	},
];

/** Which files to fetch. */
export const DOWNLOAD_FIELD: INodeProperties = {
	displayName: 'Download',
	name: 'download',
	type: 'multiOptions',
	default: ['edited'],
	description: 'Which files to fetch into n8n; leave empty to get the links only',
	options: DOWNLOAD_OPTIONS,
};

/** Where to put the edited file. */
export const OUTPUT_FIELD: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	placeholder: 'e.g. data',
	description:
		"The name of the output field to put the edited file in. Other files get names such as 'data_markers_1'.",
	displayOptions: { show: { download: ['edited', 'merged', 'markers'] } },
};

const ONE_ITEM_PER_FILE: INodeProperties = {
	displayName: 'One Item per File',
	name: 'oneItemPerFile',
	type: 'boolean',
	default: false,
	description:
		"Whether to return each file as its own item, so that one node after this one stores all of them. What you choose under 'Also Return' becomes files, too.",
};

/** The options for what is made of a result. */
export const RESULT_OPTIONS: INodeProperties[] = [
	CUT_SOUNDBITES,
	ONE_ITEM_PER_FILE,
	...SPEAKER_OPTIONS,
	...TRANSCRIPT_OPTIONS,
];

/** The form of Get Result. */
export const GET_RESULT_FIELDS: INodeProperties[] = [
	...EDIT_ID_FIELDS,
	DOWNLOAD_FIELD,
	OUTPUT_FIELD,
	...TAG_FIELDS,
	...FORMAT_FIELDS,
	...outputFields(),
	KEEP_INPUT_FILES_FIELD,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [...RESULT_OPTIONS, TRANSFERS_AT_ONCE_FIELD],
	},
];
