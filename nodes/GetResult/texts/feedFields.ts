import type { INodeProperties } from 'n8n-workflow';

const AMOUNT = { minValue: 1, numberPrecision: 0 };

/** What a feed item says about the episode, in alphabetical order. */
export const FEED_ITEM_FIELD: INodeProperties = {
	displayName: 'Feed Item',
	name: 'feedItem',
	type: 'collection',
	placeholder: 'Add detail',
	default: {},
	description: 'What the feed says about the episode',
	options: [
		{
			displayName: 'Audio URL',
			name: 'audioUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://cdn.example.com/episode-12.mp3',
			description:
				"Where listeners download the edited file. If empty, the feed item has the service's link, which expires.",
		},
		{
			displayName: 'Chapters URL',
			name: 'chaptersUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://cdn.example.com/episode-12-chapters.json',
			description: "Where you publish 'Chapters (JSON)'",
		},
		{
			displayName: 'Duration (Seconds)',
			name: 'durationSeconds',
			type: 'number',
			default: 0,
			typeOptions: { minValue: 0 },
			description: 'The length of the edited file. 0 leaves it out.',
		},
		{
			displayName: 'Episode Number',
			name: 'episodeNumber',
			type: 'number',
			default: 1,
			typeOptions: AMOUNT,
		},
		{
			displayName: 'Episode Type',
			name: 'episodeType',
			type: 'options',
			default: 'full',
			options: [
				{ name: 'Bonus', value: 'bonus' },
				{ name: 'Full', value: 'full' },
				{ name: 'Trailer', value: 'trailer' },
			],
		},
		{
			displayName: 'Explicit',
			name: 'isExplicit',
			type: 'boolean',
			default: false,
			description: 'Whether the episode has explicit content',
		},
		{
			displayName: 'GUID',
			name: 'guid',
			type: 'string',
			default: '',
			placeholder: 'e.g. episode-12',
			description:
				"The permanent ID of the episode. If it changes, players show the episode again. If empty, it is the edit's ID.",
		},
		{
			displayName: 'Image URL',
			name: 'imageUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://cdn.example.com/episode-12.jpg',
		},
		{
			displayName: 'Page URL',
			name: 'pageUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://show.example.com/12',
			description: "The episode's web page",
		},
		{
			displayName: 'Publish Date',
			name: 'publishedAt',
			type: 'dateTime',
			default: '',
			description: 'When the episode is published. If empty, the time when the node runs.',
		},
		{
			displayName: 'Season Number',
			name: 'seasonNumber',
			type: 'number',
			default: 1,
			typeOptions: AMOUNT,
		},
		{
			displayName: 'Title',
			name: 'title',
			type: 'string',
			default: '',
			description:
				'The title of the episode. If empty, the title in the summary, or else the name of the edited file.',
		},
		{
			displayName: 'Transcript URLs',
			name: 'transcriptUrls',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			placeholder: 'e.g. https://cdn.example.com/episode-12.vtt',
			description: 'Where you publish the transcript or subtitles, one URL per line',
		},
	],
};
