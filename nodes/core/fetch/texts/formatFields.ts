import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { choices, mode, toggle } from '../../form/build';
import { FEED_EXTRAS_FIELD, FEED_ITEM_FIELD } from './feedFields';

/** What the node can make from the texts of a result. */
export const FORMAT_OPTIONS: INodePropertyOptions[] = choices({
	chapterList: [
		'Chapter List',
		"Lines such as '00:00 Title' for YouTube and Spotify. YouTube ignores fewer than three. Needs 'Summarize'.",
	],
	chaptersJson: ['Chapters (JSON)', "Podcasting 2.0 chapters for a feed. Needs 'Summarize'."],
	podloveChapters: [
		'Chapters (Podlove XML)',
		"Podlove Simple Chapters for a feed item. Needs 'Summarize'.",
	],
	episodeDescription: [
		'Description With Timestamps',
		"Plain text with chapters that YouTube, Spotify and Apple Podcasts recognize. Needs 'Summarize'.",
	],
	feedItem: [
		'Feed Item (RSS)',
		"The episode as an item for an RSS feed, with description, show notes, chapters and soundbites. Needs 'Summarize'.",
	],
	passport: [
		'Edit Passport',
		'What was done, as a sentence and in figures: only what the result and the files state',
	],
	showNotesHtml: [
		'Show Notes (HTML)',
		"Title, description, key learnings, chapters, links. Needs 'Summarize'.",
	],
	showNotesMarkdown: [
		'Show Notes (Markdown)',
		"Title, description, key learnings, chapters, links. Needs 'Summarize'.",
	],
	socialPosts: ['Social Posts', "Newsletter, LinkedIn text and thread. Needs 'Social Content'."],
	soundbites: [
		'Soundbites',
		"Start, length and title of 1 to 5 passages of 15 to 120 seconds, for previews and posts. Needs 'Transcription'.",
	],
	subtitlesSrt: ['Subtitles (SRT)', "For most players and platforms. Needs 'Transcription'."],
	subtitlesVtt: [
		'Subtitles (WebVTT)',
		"For the web and podcast feeds, with speakers. Needs 'Transcription'.",
	],
	transcriptJson: [
		'Transcript (JSON)',
		"Podcasting 2.0 transcript for a feed, with speakers. Needs 'Transcription'.",
	],
	transcriptText: ['Transcript (Text)', "Plain text in paragraphs. Needs 'Transcription'."],
});

const optionsOf = (values: readonly string[]) =>
	FORMAT_OPTIONS.filter(({ value }) => values.includes(String(value)));

/** What the texts are for, and the formats of each purpose. The first format is the default. */
export const PURPOSES = [
	{
		name: 'Chapters',
		value: 'chapters',
		formats: ['chaptersJson', 'chapterList', 'podloveChapters'],
	},
	{ name: 'Feed', value: 'feed', formats: ['feedItem', 'soundbites'] },
	{ name: 'Edit Passport', value: 'passport', formats: ['passport'] },
	{
		name: 'Show Notes',
		value: 'showNotes',
		formats: ['showNotesMarkdown', 'showNotesHtml', 'episodeDescription'],
	},
	{ name: 'Social Posts', value: 'socialPosts', formats: ['socialPosts'] },
	{ name: 'Subtitles', value: 'subtitles', formats: ['subtitlesSrt', 'subtitlesVtt'] },
	{ name: 'Transcript', value: 'transcript', formats: ['transcriptText', 'transcriptJson'] },
] as const;

type Purpose = (typeof PURPOSES)[number];

/** Whether a purpose has a field to choose among its formats. With only one format, it needs none. */
export function hasField(
	purpose: Purpose,
): purpose is Exclude<Purpose, { readonly value: 'passport' | 'socialPosts' }> {
	return purpose.formats.length > 1;
}

/** What the texts are for, as the form offers it. */
const PURPOSE_OPTIONS: INodePropertyOptions[] = PURPOSES.map((purpose) => {
	const { name, value, formats } = purpose;
	const [description] = optionsOf(formats).map((option) => option.description);
	return { name, value, ...(!hasField(purpose) && { description }) };
});

/**
 * The fields that choose what the node makes from the transcript and the summary. Each chosen purpose
 * shows the field with its formats.
 */
export const FORMAT_FIELDS: INodeProperties[] = [
	{
		displayName: 'Also Return (Subtitles …)',
		name: 'alsoReturn',
		type: 'multiOptions',
		default: [],
		description:
			'What to make from the transcript, the summary and the social content of the edit. With a preset, Audio Editing switches on what it needs.',
		options: PURPOSE_OPTIONS,
	},
	...PURPOSES.filter(hasField).map(({ name, value, formats }) => ({
		displayName: name,
		name: value,
		type: 'multiOptions' as const,
		default: formats.slice(0, 1),
		description: 'Which formats to return',
		displayOptions: { show: { alsoReturn: [value] } },
		options: optionsOf(formats),
	})),
	{ ...FEED_ITEM_FIELD, displayOptions: { show: { alsoReturn: ['feed'], feed: ['feedItem'] } } },
	{ ...FEED_EXTRAS_FIELD, displayOptions: { show: { alsoReturn: ['feed'], feed: ['feedItem'] } } },
	toggle(
		'namesApprover',
		'Name Who Approved',
		'Whether the edit passport names the person who approved the cuts on the local service',
		{ default: false, displayOptions: { show: { alsoReturn: ['passport', 'feed'] } } },
	),
	{
		...mode('returnAs', 'Return As', 'automatic', 'Where the node puts the texts', {
			automatic: [
				'Automatic',
				'As files if the edited file is downloaded, otherwise as JSON fields',
			],
			files: ['Files', 'Each in its own output field'],
			json: ['JSON Fields', "In the field 'formats' of the edit"],
		}),
		displayOptions: { show: { alsoReturn: PURPOSE_OPTIONS.map(({ value }) => value) } },
	},
];
