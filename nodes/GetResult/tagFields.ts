import type { INodeProperties } from 'n8n-workflow';

/** Shows a field where the edited file is fetched. */
const forEditedFile = (
	more: NonNullable<INodeProperties['displayOptions']>['show'] = {},
): NonNullable<INodeProperties['displayOptions']> => ({
	show: { download: ['edited'], ...more },
	hide: { '@tool': [true] },
});

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
		{ name: 'Keep', value: 'keep', description: 'Fields that are not set here stay' },
		{ name: 'Overwrite', value: 'overwrite', description: 'The new tags replace all of them' },
		{
			name: 'Remove',
			value: 'remove',
			description: 'All of them go, and no fields are written. Embedded chapters are.',
		},
	],
};

const WRITE_TAGS: INodeProperties = {
	displayName: 'Write Tags',
	name: 'writeTags',
	type: 'collection',
	placeholder: 'Add tag',
	default: {},
	displayOptions: forEditedFile(),
	description:
		'What players show about the episode. It is written into an edited MP3, M4A or MP4 file while it is stored; the sound stays as it is.',
	options: [
		{ ...text('Author', 'author', 'Who speaks, or who makes the show'), placeholder: 'e.g. Anna' },
		{
			...text(
				'Cover Input Field',
				'coverField',
				'The name of the input field that has the cover: a JPEG or PNG picture of at most 10 MB',
			),
			placeholder: 'e.g. cover',
		},
		{
			...text(
				'Cover URL',
				'coverUrl',
				"A public URL of the cover: a JPEG or PNG picture of at most 10 MB. 'Cover Input Field' goes first.",
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
				"Whether 'Title' and 'Description' come from the summary of the edit where they are not set. Needs Summarize.",
		},
		{
			...text('Language', 'language', 'The language of the episode, as a code such as en or pt-BR'),
			placeholder: 'e.g. en',
		},
		{
			displayName: 'Season',
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
	default: 'none',
	displayOptions: forEditedFile(),
	description:
		'Which chapters to write into the edited MP3, M4A or MP4 file, so that players show them',
	options: [
		{ name: 'From JSON', value: 'json', description: 'From an expression, such as of input data' },
		{ name: 'From List', value: 'list', description: 'Chapters that you enter here' },
		{ name: 'From Summary', value: 'summary', description: 'Needs Summarize on the edit' },
		{ name: 'None', value: 'none', description: 'The file keeps the chapters that it has' },
	],
};

const CHAPTERS_LIST: INodeProperties = {
	displayName: 'Chapters to Embed',
	name: 'chaptersList',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add Chapter',
	default: {},
	displayOptions: forEditedFile({ embedChapters: ['list'] }),
	description: 'The chapters, with their starts in the edited file',
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
	displayOptions: forEditedFile({ embedChapters: ['json'] }),
	description:
		'The chapters in the form of Podcasting 2.0, or only their list. Each has its title and startTime in seconds, and if you like its endTime and a link.',
};

/** The fields for the tags and chapters of the edited file. */
export const TAG_FIELDS: INodeProperties[] = [
	WRITE_TAGS,
	EMBED_CHAPTERS,
	CHAPTERS_LIST,
	CHAPTERS_JSON,
];

/** For the node's options. */
export const CUT_SOUNDBITES: INodeProperties = {
	displayName: 'Cut Soundbites',
	name: 'cutSoundbites',
	type: 'boolean',
	default: false,
	displayOptions: { hide: { '@tool': [true] } },
	description:
		'Whether to cut 1 to 5 passages of 15 to 120 seconds out of an edited MP3 file, into the output fields soundbite1, soundbite2 and so on. Needs Transcription.',
};
