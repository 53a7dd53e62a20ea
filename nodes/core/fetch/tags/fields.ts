import type { INodeProperties } from 'n8n-workflow';

import { choice, mode, numberField, textField, toggle } from '../../form/build';
import { OUTSIDE_TOOLS } from '../../form/fields';

const EXISTING_TAGS = choice(
	'existing',
	'Existing Tags',
	'keep',
	'What happens to the tags that the edited file already has',
	{
		keep: ['Keep', 'Tags that you do not set here stay as they are'],
		overwrite: ['Overwrite', 'Removes all existing tags, then writes the new ones'],
		remove: [
			'Remove',
			'Removes all existing tags and writes no new ones. Chapters are still embedded.',
		],
	},
);

/** The option for the tags of the edited file. */
export const WRITE_TAGS: INodeProperties = {
	displayName: 'Write Tags and Cover',
	name: 'writeTags',
	type: 'collection',
	placeholder: 'Add tag',
	default: {},
	displayOptions: OUTSIDE_TOOLS,
	description:
		'What players show about the episode. The node writes it into an edited MP3, M4A or MP4 file and leaves the sound unchanged.',
	options: [
		textField('author', 'Author', 'Who speaks, or who makes the show', {
			placeholder: 'e.g. Anna',
		}),
		textField(
			'coverField',
			'Cover Input Field',
			'The name of the input field with the cover, a JPEG or PNG picture of at most 10 MB',
			{ placeholder: 'e.g. cover' },
		),
		textField(
			'coverUrl',
			'Cover URL',
			"A public URL of the cover, a JPEG or PNG picture of at most 10 MB. Ignored if 'Cover Input Field' is set.",
			{ placeholder: 'e.g. https://example.com/cover.jpg' },
		),
		{
			displayName: 'Date',
			name: 'date',
			type: 'dateTime',
			default: '',
			description: 'When the episode is published',
		},
		textField('description', 'Description', 'What the episode is about', {
			typeOptions: { rows: 3 },
		}),
		numberField(
			'episodeNumber',
			'Episode Number',
			1,
			'The number of the episode in its season or show',
			{ typeOptions: { minValue: 0, numberPrecision: 0 } },
		),
		EXISTING_TAGS,
		toggle(
			'fillFromSummary',
			'Fill From Summary',
			"Whether to take 'Title' and 'Description' from the edit's summary if you do not set them. Needs 'Summarize'.",
		),
		textField(
			'language',
			'Language',
			'The language of the episode, as a code such as en or pt-BR',
			{ placeholder: 'e.g. en' },
		),
		numberField('season', 'Season Number', 1, 'The number of the season', {
			typeOptions: { minValue: 0, numberPrecision: 0 },
		}),
		textField('show', 'Show', 'The name of the podcast', { placeholder: 'e.g. Slow Kitchen' }),
		textField('title', 'Title', 'The title of the episode', { placeholder: 'e.g. Bread and Time' }),
	],
};

const EMBED_CHAPTERS: INodeProperties = {
	...mode(
		'embedChapters',
		'Embed Chapters',
		'summary',
		"Which chapters to write into the edited MP3, M4A or MP4 file, so that players show them. Without this option, existing ones stay if 'Existing Tags' is 'Keep'.",
		{
			json: ['From JSON', "From an expression in the option 'Chapters to Embed (JSON)'"],
			list: ['From List', "Chapters that you enter in the option 'Chapters to Embed'"],
			summary: ['From Summary', "Chapters of the edit's summary. Needs 'Summarize'."],
		},
	),
	displayOptions: OUTSIDE_TOOLS,
};

const CHAPTERS_LIST: INodeProperties = {
	displayName: 'Chapters to Embed',
	name: 'chaptersList',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add chapter',
	default: {},
	displayOptions: { show: { embedChapters: ['list'] }, ...OUTSIDE_TOOLS },
	description:
		"The chapters, and when they begin in the edited file. Feed, show notes and lists have them, too, instead of the summary's.",
	options: [
		{
			displayName: 'Chapter',
			name: 'chapter',
			values: [
				numberField(
					'startSeconds',
					'Start (Seconds)',
					0,
					'When the chapter begins in the edited file, in seconds',
					{ typeOptions: { minValue: 0 } },
				),
				textField('title', 'Title', 'The title of the chapter', { placeholder: 'e.g. Welcome' }),
				textField(
					'imageUrl',
					'Image URL',
					"A picture for the chapter, for 'Chapters (JSON)', 'Chapters (Podlove XML)' and the feed item. It is not embedded.",
					{ placeholder: 'e.g. https://example.com/shop.jpg' },
				),
				textField('url', 'URL', 'A web page about the chapter, if there is one', {
					placeholder: 'e.g. https://example.com/shop',
				}),
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
		"Podcasting 2.0 chapters, or only the list in them. Each chapter needs a 'title' and a 'startTime' in seconds; an 'endTime', a link, and an 'img' for feeds are optional. Feed, show notes and lists have them, too, instead of the summary's.",
};

/** The options for the chapters of the edited file. */
export const EMBEDDED_CHAPTERS: INodeProperties[] = [EMBED_CHAPTERS, CHAPTERS_LIST, CHAPTERS_JSON];

/** The option that cuts soundbites. */
export const CUT_SOUNDBITES = toggle(
	'cutSoundbites',
	'Cut Soundbites',
	"Whether to copy 1 to 5 passages of 15 to 120 seconds from an edited MP3 file to the output fields 'soundbite1', 'soundbite2' and so on. The edited file itself does not change. Needs 'Transcription'.",
	{ displayOptions: OUTSIDE_TOOLS },
);
