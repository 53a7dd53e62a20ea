import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import {
	editIdFields,
	SIMPLIFY_FIELD,
	TRANSFERS_AT_ONCE_FIELD,
	KEEP_INPUT_FILES_FIELD,
} from '../shared/fields';
import { CUT_SOUNDBITES, TAG_FIELDS } from './tagFields';

/** The files of a result. */
export const DOWNLOAD_OPTIONS: INodePropertyOptions[] = [
	{ name: 'Edited File', value: 'edited' },
	{ name: 'Markers', value: 'markers', description: 'Needs Export Timestamps on the edit' },
	{ name: 'Merged Audio', value: 'merged', description: 'Needs Merge Tracks on the edit' },
];

/** What the node can make of the texts of a result. */
export const FORMAT_OPTIONS: INodePropertyOptions[] = [
	{
		name: 'Chapter List',
		value: 'chapterList',
		description: "Lines such as '00:00 Title' for YouTube and Spotify. Needs Summarize.",
	},
	{
		name: 'Chapters (JSON)',
		value: 'chaptersJson',
		description: 'Podcasting 2.0 chapters for a feed. Needs Summarize.',
	},
	{
		name: 'Show Notes (HTML)',
		value: 'showNotesHtml',
		description: 'Title, description, key learnings, chapters, links. Needs Summarize.',
	},
	{
		name: 'Show Notes (Markdown)',
		value: 'showNotesMarkdown',
		description: 'Title, description, key learnings, chapters, links. Needs Summarize.',
	},
	{
		name: 'Social Posts',
		value: 'socialPosts',
		description: 'Newsletter, LinkedIn text and thread. Needs Social Content.',
	},
	{
		name: 'Subtitles (SRT)',
		value: 'subtitlesSrt',
		description: 'For most players and platforms. Needs Transcription.',
	},
	{
		name: 'Subtitles (WebVTT)',
		value: 'subtitlesVtt',
		description: 'For the web and podcast feeds, with speakers. Needs Transcription.',
	},
	{
		name: 'Transcript (Text)',
		value: 'transcriptText',
		description: 'Plain text in paragraphs. Needs Transcription.',
	},
];

/** The fields that choose what the node makes of the transcript and the summary. */
export const FORMAT_FIELDS: INodeProperties[] = [
	{
		displayName: 'Also Return',
		name: 'alsoReturn',
		type: 'multiOptions',
		default: [],
		description: 'What to make of the transcript, the summary and the social content of the edit',
		options: FORMAT_OPTIONS,
	},
	{
		displayName: 'Return As',
		name: 'returnAs',
		type: 'options',
		noDataExpression: true,
		default: 'json',
		displayOptions: { show: { alsoReturn: FORMAT_OPTIONS.map(({ value }) => value) } },
		options: [
			{ name: 'Binary Files', value: 'files', description: 'Each in its own output field' },
			{ name: 'JSON Fields', value: 'json', description: "In the field 'formats' of the edit" },
		],
	},
];

const WITH_TRANSCRIPT = { show: { '/alsoReturn': ['transcriptText'] } };

/** The node's options for the transcript. */
const TRANSCRIPT_OPTIONS: INodeProperties[] = [
	{
		displayName: 'Speakers in Transcript',
		name: 'transcriptSpeakers',
		type: 'boolean',
		default: true,
		displayOptions: WITH_TRANSCRIPT,
		description: 'Whether the transcript names who speaks',
	},
	{
		displayName: 'Times in Transcript',
		name: 'transcriptTimes',
		type: 'boolean',
		default: false,
		displayOptions: WITH_TRANSCRIPT,
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
	...TRANSCRIPT_OPTIONS,
];

/** The form of Get Result. */
export const GET_RESULT_FIELDS: INodeProperties[] = [
	...editIdFields(2),
	DOWNLOAD_FIELD,
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
	...FORMAT_FIELDS,
	...TAG_FIELDS,
	SIMPLIFY_FIELD,
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
