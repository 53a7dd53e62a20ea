import type { INodeProperties } from 'n8n-workflow';

import { configurationField } from '../shared/configurations';
import {
	filledByModel,
	forTools,
	fromVersion,
	inheritingField,
	outsideTools,
	untilVersion,
	KEEP_INPUT_FILES_FIELD,
} from '../shared/fields';
import { CONFIG_FIELDS } from './configFields';
import { groupFields } from './configGroups';
import { PRESET_OPTIONS } from './presets';
import { SPECIAL, SPECIAL_FIELDS } from './specialFields';

type DisplayOptions = NonNullable<INodeProperties['displayOptions']>;

/** Shows a field only where the edit is configured in one of these ways. */
const configuredBy = (configure: readonly string[], also: DisplayOptions): DisplayOptions => ({
	...also,
	show: { ...also.show, configure: [...configure] },
});

const WITH_PRESET = ['fields'];
const WITH_OPTIONS = ['fields', 'template'];

const PRESET: INodeProperties = {
	displayName: 'Preset',
	name: 'preset',
	type: 'options',
	default: 'enhance',
	description: 'What the edit starts from; the options below override it',
	options: PRESET_OPTIONS,
};

/** What an agent's model reads about the presets. */
const PRESETS_FOR_MODEL = PRESET_OPTIONS.map(
	({ value, description }) => `${value} (${description})`,
).join(', ');

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
		displayName: 'File URLs',
		name: 'fileUrls',
		inherits: 'fileUrl',
		typeOptions: { rows: 2 },
		placeholder: 'e.g. https://files.example.com/episode-12.wav',
		description:
			'The file URL from the output of Upload, or any public URL of an audio or video file. One URL per line. Several URLs in one item are tracks of one recording',
		hint: 'One URL per line. Several URLs in one item are tracks of one recording.',
		forModel: 'URL of the audio or video file',
	}),
	{
		displayName: 'Configure',
		name: 'configure',
		type: 'options',
		noDataExpression: true,
		default: 'fields',
		options: [
			{
				name: 'From a Preset',
				value: 'fields',
				description: 'A preset, and options that override it',
			},
			{
				name: 'From a Template',
				value: 'template',
				description: 'A template stored in your account, and options that override it',
			},
			{ name: 'Using JSON', value: 'json', description: "The service's own key names" },
		],
	},
	configurationField({
		displayName: 'Template',
		name: 'templateId',
		description: 'A template stored in your account; only the options below override it',
		displayOptions: { show: { configure: ['template'] } },
	}),
	{ ...PRESET, displayOptions: configuredBy(WITH_PRESET, untilVersion(1)) },
	{ ...PRESET, displayOptions: configuredBy(WITH_PRESET, outsideTools(2)) },
	{
		...PRESET,
		default: filledByModel('preset', `One of: ${PRESETS_FOR_MODEL}`, 'enhance'),
		displayOptions: configuredBy(WITH_PRESET, forTools(2)),
	},
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
	...groupFields(configuredBy(WITH_OPTIONS, fromVersion(2))),
	{
		displayName: 'Special',
		name: SPECIAL,
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		description: 'For services that take more than this form has',
		displayOptions: fromVersion(2),
		options: SPECIAL_FIELDS,
	},
	KEEP_INPUT_FILES_FIELD,
	{
		displayName: 'Configuration (JSON)',
		name: 'configJson',
		type: 'json',
		typeOptions: { rows: 6 },
		default: '{\n  "remove_noise": true,\n  "normalize": true\n}',
		description: "The edit's configuration with the service's own key names",
		displayOptions: { show: { configure: ['json'] } },
	},
];
