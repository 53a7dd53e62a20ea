import type { INodeProperties } from 'n8n-workflow';

import { OUTSIDE_TOOLS } from '../../shared/form/fields';

const text = (displayName: string, name: string, description: string): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: '',
	description,
});

const EXISTING_TAGS: INodeProperties = {
	displayName: 'Existing Tags',
	name: 'existing',
	type: 'options',
	default: 'keep',
	description: 'What happens to the tags that the edited file already has',
	options: [
		{ name: 'Keep', value: 'keep', description: 'Tags that you do not set here stay as they are' },
		{
			name: 'Overwrite',
			value: 'overwrite',
			description: 'Removes all existing tags, then writes the new ones',
		},
		{
			name: 'Remove',
			value: 'remove',
			description: 'Removes all existing tags and writes no new ones. Chapters are still embedded.',
		},
	],
};

const WRITE_TAGS: INodeProperties = {
	displayName: 'Write Tags',
	name: 'writeTags',
	type: 'collection',
	placeholder: 'Add tag',
	default: {},
	displayOptions: OUTSIDE_TOOLS,
	description:
		'What players show about the episode. The node writes it into an edited MP3, M4A or MP4 file and leaves the sound unchanged.',
	options: [
		{ ...text('Author', 'author', 'Who speaks, or who makes the show'), placeholder: 'e.g. Anna' },
		{
			...text(
				'Cover Input Field',
				'coverField',
				'The name of the input field with the cover, a JPEG or PNG picture of at most 10 MB',
			),
			placeholder: 'e.g. cover',
		},
		{
			...text(
				'Cover URL',
				'coverUrl',
				"A public URL of the cover, a JPEG or PNG picture of at most 10 MB. Ignored if 'Cover Input Field' is set.",
			),
			placeholder: 'e.g. https://example.com/cover.jpg',
		},
		{
			displayName: 'Date',
			name: 'date',
			type: 'dateTime',
			default: '',
			description: 'When the episode is published',
		},
		{
			...text('Description', 'description', 'What the episode is about'),
			typeOptions: { rows: 3 },
		},
		{
			displayName: 'Episode Number',
			name: 'episodeNumber',
			type: 'number',
			default: 1,
			typeOptions: { minValue: 0, numberPrecision: 0 },
			description: 'The number of the episode in its season or show',
		},
		EXISTING_TAGS,
		{
			displayName: 'Fill From Summary',
			name: 'fillFromSummary',
			type: 'boolean',
			default: true,
			description:
				"Whether to take 'Title' and 'Description' from the summary of the edit if you do not set them. Needs 'Summarize'.",
		},
		{
			...text('Language', 'language', 'The language of the episode, as a code such as en or pt-BR'),
			placeholder: 'e.g. en',
		},
		{
			displayName: 'Season Number',
			name: 'season',
			type: 'number',
			default: 1,
			typeOptions: { minValue: 0, numberPrecision: 0 },
			description: 'The number of the season',
		},
		{ ...text('Show', 'show', 'The name of the podcast'), placeholder: 'e.g. Slow Kitchen' },
		{ ...text('Title', 'title', 'The title of the episode'), placeholder: 'e.g. Bread and Time' },
	],
};

const EMBED_CHAPTERS: INodeProperties = {
	displayName: 'Embed Chapters',
	name: 'embedChapters',
	type: 'options',
	noDataExpression: true,
	default: 'summary',
	displayOptions: OUTSIDE_TOOLS,
	description:
		"Which chapters to write into the edited MP3, M4A or MP4 file, so that players show them. Without this option, existing ones stay if 'Existing Tags' is 'Keep'.",
	options: [
		{
			name: 'From JSON',
			value: 'json',
			description: "From an expression in the option 'Chapters to Embed (JSON)'",
		},
		{
			name: 'From List',
			value: 'list',
			description: "Chapters that you enter in the option 'Chapters to Embed'",
		},
		{
			name: 'From Summary',
			value: 'summary',
			description: "Chapters of the edit's summary. Needs 'Summarize'.",
		},
	],
};

const CHAPTERS_LIST: INodeProperties = {
	displayName: 'Chapters to Embed',
	name: 'chaptersList',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add chapter',
	default: {},
	displayOptions: { show: { embedChapters: ['list'] }, ...OUTSIDE_TOOLS },
	description: 'The chapters, and when they begin in the edited file',
	options: [
		{
			displayName: 'Chapter',
			name: 'chapter',
			values: [
				{
					displayName: 'Start (Seconds)',
					name: 'startSeconds',
					type: 'number',
					default: 0,
					typeOptions: { minValue: 0 },
					description: 'When the chapter begins in the edited file, in seconds',
				},
				{ ...text('Title', 'title', 'The title of the chapter'), placeholder: 'e.g. Welcome' },
				{
					...text('URL', 'url', 'A web page about the chapter, if there is one'),
					placeholder: 'e.g. https://example.com/shop',
				},
			],
		},
	],
};

const CHAPTERS_JSON: INodeProperties = {
	displayName: 'Chapters to Embed (JSON)',
	name: 'chaptersJson',
	type: 'json',
	default: '[]',
	displayOptions: { show: { embedChapters: ['json'] }, ...OUTSIDE_TOOLS },
	description:
		"Podcasting 2.0 chapters, or only the list in them. Each chapter needs a 'title' and a 'startTime' in seconds; an 'endTime' and a link are optional.",
};

/** The options for the tags and chapters of the edited file. */
export const TAG_OPTIONS: INodeProperties[] = [
	WRITE_TAGS,
	EMBED_CHAPTERS,
	CHAPTERS_LIST,
	CHAPTERS_JSON,
];

/** The option that cuts soundbites. */
export const CUT_SOUNDBITES: INodeProperties = {
	displayName: 'Cut Soundbites',
	name: 'cutSoundbites',
	type: 'boolean',
	default: false,
	displayOptions: OUTSIDE_TOOLS,
	description:
		"Whether to copy 1 to 5 passages of 15 to 120 seconds from an edited MP3 file to the output fields 'soundbite1', 'soundbite2' and so on. The edited file stays whole. Needs 'Transcription'.",
};
