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
