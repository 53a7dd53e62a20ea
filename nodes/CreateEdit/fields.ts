import type { INodeProperties } from 'n8n-workflow';

import { KEEP_INPUT_FILES_FIELD, OUTSIDE_TOOLS, inheritingField } from '../shared/form/fields';
import { SKIP_FIELDS } from '../shared/skip/skipFields';
import {
	CONFIGURE_FIELDS,
	CONFIG_JSON,
	FILE_URLS,
	OPTION_FIELDS,
	PRESET_FIELDS,
	SEVERAL_URLS,
	SPECIAL_FIELD,
} from './config/configurationFields';

const DELIVER_HERE: INodeProperties = {
	displayName: 'Deliver to This Workflow',
	name: 'deliverHere',
	type: 'boolean',
	default: false,
	description:
		'Whether the service should deliver the edited file to this execution, where a Wait For Edit after this node takes it. Works for one item at a time in an execution. The service must be able to reach n8n.',
	displayOptions: OUTSIDE_TOOLS,
};

const JOB_TYPE: INodeProperties = {
	displayName: 'Job Type',
	name: 'jobType',
	type: 'options',
	noDataExpression: true,
	default: 'edit',
	description:
		"What the service does with the recording. 'Noise Reduction' ignores 'Preset', 'Cut' and 'Texts', even if an agent's model chooses the preset. It sends 'Options (JSON)' unchanged.",
	options: [
		{ name: 'Edit', value: 'edit', description: 'Any combination of cuts and enhancements' },
		{
			name: 'Noise Reduction',
			value: 'noise',
			description: 'Background-noise reduction only',
		},
	],
};

const ITEMS_ARE: INodeProperties = {
	displayName: 'Treat Input Items As',
	name: 'itemsAre',
	type: 'options',
	noDataExpression: true,
	default: 'recordings',
	description:
		"What the input items are. For many recordings, switch on 'Save execution progress' in the workflow's settings: if you stop a run, n8n keeps the edit IDs only in the saved execution and in its log.",
	options: [
		{
			name: 'Separate Recordings',
			value: 'recordings',
			description: 'Each item is its own recording and becomes one edit',
		},
		{
			name: 'Tracks of One Recording',
			value: 'tracks',
			description: 'All items together become one multi-track edit',
		},
	],
};

const DELIVER_NOTICE: INodeProperties = {
	displayName:
		"Run the whole workflow, or a node after Wait For Edit. If you use 'Execute step' on this node alone, nothing receives the file: the edit is charged and ends in FAILURE.",
	name: 'deliverNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { '/options.deliverHere': [true] } },
};

/** Hides a field while the job type is noise reduction, which neither cuts nor writes texts. */
const notForNoise = (field: INodeProperties): INodeProperties => ({
	...field,
	displayOptions: {
		...field.displayOptions,
		hide: { ...field.displayOptions?.hide, '/options.jobType': ['noise'] },
	},
});

/** The form of Create Edit. */
export const CREATE_EDIT_FIELDS: INodeProperties[] = [
	...inheritingField({
		...FILE_URLS,
		description: `The file URL from the output of Upload, or any public URL of an audio or video file. ${SEVERAL_URLS}`,
	}),
	ITEMS_ARE,
	...CONFIGURE_FIELDS,
	...PRESET_FIELDS.map(notForNoise),
	CONFIG_JSON,
	...OPTION_FIELDS.map((field) =>
		field.name === 'cut' || field.name === 'texts' ? notForNoise(field) : field,
	),
	...SKIP_FIELDS,
	KEEP_INPUT_FILES_FIELD,
	SPECIAL_FIELD,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [DELIVER_HERE, JOB_TYPE],
	},
	DELIVER_NOTICE,
];
