import type { INodeProperties } from 'n8n-workflow';

import { configurationField } from '../shared/configurations';
import { inheritingField } from '../shared/fields';
import { CONFIG_FIELDS } from './configFields';

const WITH_PRESET = { show: { configure: ['fields'] } };
const WITH_OPTIONS = { show: { configure: ['fields', 'template'] } };

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
		hint: 'One URL per line. Several URLs in one item are tracks of one recording.',
		description: 'The file URL that Upload gives out, or any public URL of an audio or video file',
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
				description: 'A configuration stored in your account, and options that override it',
			},
			{ name: 'Using JSON', value: 'json', description: "The service's own key names" },
		],
	},
	configurationField({
		displayName: 'Template',
		name: 'templateId',
		description: 'A configuration stored in your account; only the options below override it',
		displayOptions: { show: { configure: ['template'] } },
	}),
	{
		displayName: 'Preset',
		name: 'preset',
		type: 'options',
		default: 'enhance',
		description: 'What the edit starts from; the options below override it',
		displayOptions: WITH_PRESET,
		options: [
			{
				name: 'Enhance',
				value: 'enhance',
				description: 'Remove noise and normalize the loudness',
			},
			{
				name: 'Full Analysis',
				value: 'fullAnalysis',
				description: 'Transcription, summary with chapters, and social content',
			},
			{
				name: 'Full Edit',
				value: 'fullEdit',
				description: 'Enhance, and cut fillers, long silences, mouth sounds, breaths and stutters',
			},
			{ name: 'None', value: 'none', description: 'Only what the options say' },
			{
				name: 'Studio Polish',
				value: 'studioPolish',
				description: 'Enhance, and add studio sound',
			},
			{ name: 'Transcript Only', value: 'transcriptOnly', description: 'Transcription' },
		],
	},
	{
		displayName: 'Deliver to This Workflow',
		name: 'deliverHere',
		type: 'boolean',
		default: false,
		description:
			'Whether the service should deliver the finished file to this execution, where a Wait For Edit after this node takes it. One item in an execution; the service must be able to reach n8n.',
	},
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
		displayOptions: WITH_OPTIONS,
		options: CONFIG_FIELDS,
	},
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
