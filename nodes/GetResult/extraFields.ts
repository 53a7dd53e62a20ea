import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** What can be made of the texts of a result. */
export const OUTPUTS: INodePropertyOptions[] = [
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

/** The part of Get Result's form that makes texts and files of the transcript and the summary. */
export const EXTRA_FIELDS: INodeProperties[] = [
	{
		displayName: 'Also Return',
		name: 'alsoReturn',
		type: 'multiOptions',
		default: [],
		description: 'What to make of the transcript, the summary and the social content of the edit',
		options: OUTPUTS,
	},
	{
		displayName: 'Return As',
		name: 'returnAs',
		type: 'options',
		noDataExpression: true,
		default: 'json',
		displayOptions: { show: { alsoReturn: OUTPUTS.map(({ value }) => value) } },
		options: [
			{ name: 'Binary Files', value: 'files', description: 'Each in an output field of its own' },
			{ name: 'JSON Fields', value: 'json', description: "In the output's field 'formats'" },
		],
	},
];

const WITH_TRANSCRIPT = { show: { '/alsoReturn': ['transcriptText'] } };

/** What the node's options say about the transcript. */
export const TRANSCRIPT_OPTIONS: INodeProperties[] = [
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
		description: 'Whether the time stands before each paragraph of the transcript',
	},
];
