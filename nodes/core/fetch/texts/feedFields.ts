import type { INodeProperties } from 'n8n-workflow';

import { choice, numberField, textField, toggle } from '../../form/build';

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
		textField(
			'audioUrl',
			'Audio URL',
			"Where listeners download the edited file. If empty, the feed item has the service's link, which expires.",
			{ placeholder: 'e.g. https://cdn.example.com/episode-12.mp3' },
		),
		textField('chaptersUrl', 'Chapters URL', "Where you publish 'Chapters (JSON)'", {
			placeholder: 'e.g. https://cdn.example.com/episode-12-chapters.json',
		}),
		numberField(
			'episodeNumber',
			'Episode Number',
			1,
			'The number of the episode in its season or show',
			{ typeOptions: AMOUNT },
		),
		choice('episodeType', 'Episode Type', 'full', 'What podcast players call the episode', {
			bonus: ['Bonus', 'Extra content'],
			full: ['Full', 'A complete episode'],
			trailer: ['Trailer', 'A preview of the show or of a season'],
		}),
		toggle('isExplicit', 'Explicit', 'Whether the episode contains explicit content', {
			default: false,
		}),
		textField(
			'guid',
			'GUID',
			"The permanent ID of the episode. If it changes, players show the episode again. If empty, it is the edit's ID.",
			{ placeholder: 'e.g. episode-12' },
		),
		textField('imageUrl', 'Image URL', "The episode's cover, a JPEG or PNG file", {
			placeholder: 'e.g. https://cdn.example.com/episode-12.jpg',
		}),
		textField('pageUrl', 'Page URL', "The episode's web page", {
			placeholder: 'e.g. https://show.example.com/12',
		}),
		{
			displayName: 'Publish Date',
			name: 'publishedAt',
			type: 'dateTime',
			default: '',
			description:
				'When the episode is published. If empty, the time at which the node runs is used.',
		},
		numberField('seasonNumber', 'Season Number', 1, 'The number of the season', {
			typeOptions: AMOUNT,
		}),
		textField(
			'title',
			'Title',
			'The title of the episode. If empty, the node uses the title from the summary, or else the name of the edited file.',
		),
		textField(
			'transcriptUrls',
			'Transcript URLs',
			'Where you publish the transcript or subtitles, one URL per line',
			{ typeOptions: { rows: 2 }, placeholder: 'e.g. https://cdn.example.com/episode-12.vtt' },
		),
	],
};

/** What else the feed item may say, for players that know Podcasting 2.0. */
export const FEED_EXTRAS_FIELD: INodeProperties = {
	displayName: 'Feed Item: More',
	name: 'feedExtras',
	type: 'collection',
	placeholder: 'Add detail',
	default: {},
	description: 'What players that know Podcasting 2.0 show or offer',
	options: [
		{
			displayName: 'Alternate Files',
			name: 'alternateFiles',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add file',
			default: {},
			description: 'Other files of the same episode, such as a smaller one or a video',
			options: [
				{
					displayName: 'File',
					name: 'file',
					values: [
						numberField(
							'sizeBytes',
							'Size (Bytes)',
							0,
							'The size of the file. Some players ignore a file without one.',
							{ typeOptions: { minValue: 0 } },
						),
						textField('title', 'Title', 'What players call the file, at most 32 characters', {
							placeholder: 'e.g. Small file',
						}),
						textField('url', 'URL', 'Where listeners download the file', {
							placeholder: 'e.g. https://cdn.example.com/episode-12.opus',
						}),
					],
				},
			],
		},
		textField(
			'language',
			'Language',
			'The language of the transcripts and files, as a code such as en or pt-BR',
			{ placeholder: 'e.g. en' },
		),
		toggle(
			'statePassport',
			'State What Was Edited',
			"Whether the item says what was done, in the tag podcast:txt with the purpose 'ai-content': the sentence of the edit passport",
		),
	],
};
