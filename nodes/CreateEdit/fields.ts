import type { INodeProperties } from 'n8n-workflow';

import {
	inheritingField,
	outsideTools,
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
		'Whether the service should deliver the edited file to this execution, where a Wait For Edit after this node takes it. Works for one item in an execution; the service must be able to reach n8n.',
};

/** The form of Create Edit. */
export const CREATE_EDIT_FIELDS: INodeProperties[] = [
	{
		displayName: 'Job Type',
		name: 'jobType',
		type: 'options',
		noDataExpression: true,
		default: 'edit',
		options: [
			{ name: 'Edit', value: 'edit', description: 'Any combination of edits and enhancements' },
			{
				name: 'Noise Reduction',
				value: 'noise',
				description: 'Background-noise reduction through its own endpoint',
			},
		],
	},
	{
		displayName: 'Items Are',
		name: 'itemsAre',
		type: 'options',
		noDataExpression: true,
		default: 'recordings',
		description:
			"For many items, switch on 'Save execution progress' in the workflow's settings: when you stop a run, n8n keeps the edit IDs only in the saved execution and in its log",
		options: [
			{
				name: 'Recordings',
				value: 'recordings',
				description: 'Each item is its own recording and becomes one edit',
			},
			{
				name: 'Tracks of One Recording',
				value: 'tracks',
				description: 'All items together become one multi-track edit',
			},
		],
	},
	...inheritingField(2, {
		...FILE_URLS,
		description: `The file URL from the output of Upload, or any public URL of an audio or video file. ${SEVERAL_URLS}`,
	}),
	...CONFIGURE_FIELDS,
	{ ...PRESET, displayOptions: configuredBy(WITH_PRESET, untilVersion(1)) },
	...presetFields(2),
	{ ...DELIVER_HERE, displayOptions: untilVersion(1) },
	{ ...DELIVER_HERE, displayOptions: outsideTools(2) },
	{
		displayName:
			"Run the whole workflow, or a node after Wait For Edit. 'Execute step' on this node alone charges an edit that nobody takes: it ends in FAILURE.",
		name: 'deliverNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { deliverHere: [true] } },
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: configuredBy(WITH_OPTIONS, untilVersion(1)),
		options: CONFIG_FIELDS,
	},
	...optionFields(2),
	specialField(2),
	...skipFields(2),
	KEEP_INPUT_FILES_FIELD,
	CONFIG_JSON,
];
