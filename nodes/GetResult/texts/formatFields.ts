import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { FEED_ITEM_FIELD } from './feedFields';

/** What the node can make from the texts of a result. */
export const FORMAT_OPTIONS: INodePropertyOptions[] = [
	{
		name: 'Chapter List',
		value: 'chapterList',
		description:
			"Lines such as '00:00 Title' for YouTube and Spotify. YouTube ignores fewer than three. Needs 'Summarize'.",
	},
	{
		name: 'Chapters (JSON)',
		value: 'chaptersJson',
		description: "Podcasting 2.0 chapters for a feed. Needs 'Summarize'.",
	},
	{
		name: 'Chapters (Podlove XML)',
		value: 'podloveChapters',
		description: "Podlove Simple Chapters for a feed item. Needs 'Summarize'.",
	},
	{
		name: 'Description With Timestamps',
		value: 'episodeDescription',
		description:
			"Plain text with chapters that YouTube, Spotify and Apple Podcasts recognise. Needs 'Summarize'.",
	},
	{
		name: 'Feed Item (RSS)',
		value: 'feedItem',
		description:
			"The episode as an item for an RSS feed, with description, show notes, chapters and soundbites. Needs 'Summarize'.",
	},
	{
		name: 'Show Notes (HTML)',
		value: 'showNotesHtml',
		description: "Title, description, key learnings, chapters, links. Needs 'Summarize'.",
	},
	{
		name: 'Show Notes (Markdown)',
		value: 'showNotesMarkdown',
		description: "Title, description, key learnings, chapters, links. Needs 'Summarize'.",
	},
	{
		name: 'Social Posts',
		value: 'socialPosts',
		description: "Newsletter, LinkedIn text and thread. Needs 'Social Content'.",
	},
	{
		name: 'Soundbites',
		value: 'soundbites',
		description:
			"Start, length and title of 1 to 5 passages of 15 to 120 seconds, for previews and posts. Needs 'Transcription'.",
	},
	{
		name: 'Subtitles (SRT)',
		value: 'subtitlesSrt',
		description: "For most players and platforms. Needs 'Transcription'.",
	},
	{
		name: 'Subtitles (WebVTT)',
		value: 'subtitlesVtt',
		description: "For the web and podcast feeds, with speakers. Needs 'Transcription'.",
	},
	{
		name: 'Transcript (JSON)',
		value: 'transcriptJson',
		description: "Podcasting 2.0 transcript for a feed, with speakers. Needs 'Transcription'.",
	},
	{
		name: 'Transcript (Text)',
		value: 'transcriptText',
		description: "Plain text in paragraphs. Needs 'Transcription'.",
	},
];

const optionsOf = (values: readonly string[]) =>
	FORMAT_OPTIONS.filter(({ value }) => values.includes(String(value)));

/** What the texts are for, and the formats of each purpose. The first format is the default. */
export const PURPOSES: ReadonlyArray<INodePropertyOptions & { formats: readonly string[] }> = [
	{
		name: 'Chapters',
		value: 'chapters',
		formats: ['chaptersJson', 'chapterList', 'podloveChapters'],
	},
	{ name: 'Feed', value: 'feed', formats: ['feedItem', 'soundbites'] },
	{
		name: 'Show Notes',
		value: 'showNotes',
		formats: ['showNotesMarkdown', 'showNotesHtml', 'episodeDescription'],
	},
	// It has only one format, so it needs no field to choose one.
	{ name: 'Social Posts', value: 'socialPosts', formats: ['socialPosts'] },
	{ name: 'Subtitles', value: 'subtitles', formats: ['subtitlesSrt', 'subtitlesVtt'] },
	{ name: 'Transcript', value: 'transcript', formats: ['transcriptText', 'transcriptJson'] },
];

/** What the texts are for, as the form offers it. */
const PURPOSE_OPTIONS: INodePropertyOptions[] = PURPOSES.map(({ name, value, formats }) => {
	const [description] = optionsOf(formats).map((option) => option.description);
	return { name, value, ...(formats.length === 1 && { description }) };
});

/**
 * The fields that choose what the node makes from the transcript and the summary. Each chosen purpose
 * shows the field with its formats.
 */
export const FORMAT_FIELDS: INodeProperties[] = [
	{
		displayName: 'Also Return',
		name: 'alsoReturn',
		type: 'multiOptions',
		default: [],
		description: 'What to make from the transcript, the summary and the social content of the edit',
		options: PURPOSE_OPTIONS,
	},
	...PURPOSES.filter(({ formats }) => formats.length > 1).map(({ name, value, formats }) => ({
		displayName: name,
		name: String(value),
		type: 'multiOptions' as const,
		default: formats.slice(0, 1),
		description: 'Which formats to return',
		displayOptions: { show: { alsoReturn: [value] } },
		options: optionsOf(formats),
	})),
	{ ...FEED_ITEM_FIELD, displayOptions: { show: { alsoReturn: ['feed'], feed: ['feedItem'] } } },
	{
		displayName: 'Return As',
		name: 'returnAs',
		type: 'options',
		noDataExpression: true,
		default: 'json',
		description: 'Where the node puts the texts',
		displayOptions: { show: { alsoReturn: PURPOSE_OPTIONS.map(({ value }) => value) } },
		options: [
			{ name: 'Files', value: 'files', description: 'Each in its own output field' },
			{ name: 'JSON Fields', value: 'json', description: "In the field 'formats' of the edit" },
		],
	},
];
