import type { INodeProperties } from 'n8n-workflow';

import {
	inheritingField,
	fromVersion,
	untilVersion,
	KEEP_INPUT_FILES_FIELD,
} from '../shared/fields';
import { skipFields } from '../shared/skipFields';
import { CONFIG_FIELDS } from './configFields';
import {
	CONFIGURE_FIELDS,
	CONFIG_JSON,
	FILE_URLS,
	PRESET,
	SEVERAL_URLS,
	WITH_OPTIONS,
	WITH_PRESET,
	configuredBy,
	optionFields,
	presetFields,
	specialField,
} from './configurationFields';

const DELIVER_HERE: INodeProperties = {
	displayName: 'Deliver to This Workflow',
	name: 'deliverHere',
	type: 'boolean',
	default: false,
	description:
		'Whether the service should deliver the edited file to this execution, where a Wait For Edit after this node takes it. Works for only one item in an execution. The service must be able to reach n8n.',
};

const JOB_TYPE: INodeProperties = {
	displayName: 'Job Type',
	name: 'jobType',
	type: 'options',
	noDataExpression: true,
	default: 'edit',
	description: 'What the service does with the recording',
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
	{ ...JOB_TYPE, displayOptions: untilVersion(2) },
	...inheritingField(2, {
		...FILE_URLS,
		description: `The file URL from the output of Upload, or any public URL of an audio or video file. ${SEVERAL_URLS}`,
	}),
	ITEMS_ARE,
	...CONFIGURE_FIELDS,
	{ ...PRESET, displayOptions: configuredBy(WITH_PRESET, untilVersion(1)) },
	...presetFields(2).map(notForNoise),
	CONFIG_JSON,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: configuredBy(WITH_OPTIONS, untilVersion(1)),
		options: CONFIG_FIELDS,
	},
	...optionFields(2).map((field) =>
		field.name === 'cut' || field.name === 'texts' ? notForNoise(field) : field,
	),
	...skipFields(2),
	KEEP_INPUT_FILES_FIELD,
	specialField(2),
	{ ...DELIVER_HERE, displayOptions: untilVersion(1) },
	{
		...DELIVER_HERE,
		displayOptions: { show: { '@version': [2] }, hide: { '@tool': [true] } },
	},
	{ ...DELIVER_NOTICE, displayOptions: { show: { deliverHere: [true] } } },
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: fromVersion(3),
		options: [
			{ ...DELIVER_HERE, displayOptions: { hide: { '@tool': [true] } } },
			{
				...JOB_TYPE,
				description:
					"What the service does with the recording. 'Noise Reduction' ignores 'Preset', 'Cut' and 'Texts', even if an agent's model chooses the preset. It sends 'Options (JSON)' unchanged.",
			},
		],
	},
	{ ...DELIVER_NOTICE, displayOptions: { show: { '/options.deliverHere': [true] } } },
];
