import type { EditResult } from '../../api/contract';
import { episodeDescription } from '../notes/episodeDescription';
import { podloveChapters } from '../notes/podloveChapters';
import { showNotesHtml } from '../notes/showNotes';
import type { Soundbite } from './soundbites';
import { cutText, onOneLine } from '../values';
import { element, htmlElement, parent } from './xml';

/** What a feed says about an episode that its result does not. */
export interface FeedDetails {
	readonly title: string;
	/** Must not change once the episode is published: players would show the episode again. */
	readonly guid: string;
	readonly publishedAtMs: number;
	readonly audio: {
		readonly url: string;
		/** 0 if it is not known, see https://www.rssboard.org/rss-profile#element-channel-item-enclosure */
		readonly sizeBytes: number;
		readonly mediaType: string;
	};
	readonly durationSeconds?: number;
	readonly episodeNumber?: number;
	readonly seasonNumber?: number;
	readonly episodeType?: string;
	readonly isExplicit?: boolean;
	/** The episode's web page. */
	readonly pageUrl?: string;
	readonly imageUrl?: string;
	readonly chaptersUrl?: string;
	readonly transcripts: ReadonlyArray<{
		readonly url: string;
		readonly type: string;
		/** A code such as `pt-BR`, if it is known. */
		readonly language?: string;
	}>;
	/** Other files of the same episode. */
	readonly alternates: readonly AlternateFile[];
	/** What was edited, and with what, if the item is to say so. */
	readonly madeWith?: string;
	readonly people: ReadonlyArray<{ readonly name: string; readonly role: string }>;
}

/** Another file of the same episode, such as one in another format. */
export interface AlternateFile {
	readonly url: string;
	readonly mediaType: string;
	/** 0 if it is not known. */
	readonly sizeBytes: number;
	readonly title: string;
	readonly language?: string;
}

/** The longest texts, from the Podcasting 2.0 pages "Txt" and "Alternate Enclosure". */
const MAX_TXT_LENGTH = 4_000;
const MAX_FILE_TITLE_LENGTH = 32;

/** Transcripts with times, which the Podcasting 2.0 page "Transcript" calls captions. */
const CAPTIONS: readonly string[] = ['application/json', 'application/x-subrip', 'text/vtt'];

const NAMESPACES = {
	'xmlns:content': 'http://purl.org/rss/1.0/modules/content/',
	'xmlns:itunes': 'http://www.itunes.com/dtds/podcast-1.0.dtd',
	'xmlns:podcast': 'https://podcastindex.org/namespace/1.0',
};

/** The longest name of a person, from the Podcasting 2.0 page "Person". */
const MAX_NAME_LENGTH = 128;

/**
 * The `<item>` of an episode for an RSS 2.0 feed, with its namespaces, so that it is a whole document and
 * fits into any feed. Chapters are in it in Podlove's format; players fetch transcripts from their URLs.
 *
 * Sources: https://www.rssboard.org/rss-specification, https://help.apple.com/itc/podcasts_connect/#/itcb54353390,
 * https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md
 */
export function feedItem(
	result: EditResult | undefined,
	details: FeedDetails,
	soundbites: readonly Soundbite[],
): string {
	const { audio, people, transcripts, chaptersUrl, alternates, madeWith } = details;
	const enclosure = { url: audio.url, length: audio.sizeBytes, type: audio.mediaType };
	const notes = showNotesHtml(result);
	const chapters = { url: chaptersUrl, type: 'application/json+chapters' };
	const children = [
		...episodeElements(result, details),
		element('enclosure', enclosure),
		...(notes === undefined ? [] : [htmlElement('content:encoded', notes)]),
		...alternates.map(alternateEnclosure),
		...transcripts.map(({ url, type, language }) => {
			const rel = CAPTIONS.includes(type) ? 'captions' : undefined;
			return element('podcast:transcript', { url, type, language, rel });
		}),
		...(chaptersUrl === undefined ? [] : [element('podcast:chapters', chapters)]),
		...people.map(({ name, role }) =>
			element('podcast:person', { role }, cutText(onOneLine(name), MAX_NAME_LENGTH)),
		),
		...soundbites.map(({ startSeconds, durationSeconds, title }) =>
			element('podcast:soundbite', { startTime: startSeconds, duration: durationSeconds }, title),
		),
		...(madeWith === undefined
			? []
			: [element('podcast:txt', { purpose: 'ai-content' }, cutText(madeWith, MAX_TXT_LENGTH))]),
		podloveChapters(result) ?? '',
	];
	const filled = children.filter((child) => child !== '');
	return `${parent('item', NAMESPACES, filled)}\n`;
}

function alternateEnclosure(file: AlternateFile): string {
	const { url, mediaType: type, sizeBytes, language: lang } = file;
	const title = cutText(onOneLine(file.title), MAX_FILE_TITLE_LENGTH) || undefined;
	const attributes = { type, length: sizeBytes || undefined, lang, title };
	return parent('podcast:alternateEnclosure', attributes, [
		element('podcast:source', { uri: url }),
	]);
}

function episodeElements(result: EditResult | undefined, details: FeedDetails): string[] {
	const { durationSeconds, isExplicit, imageUrl } = details;
	const title = onOneLine(details.title);
	const values: ReadonlyArray<readonly [string, string | number | undefined]> = [
		['title', title],
		['itunes:title', title],
		['link', details.pageUrl],
		['pubDate', new Date(details.publishedAtMs).toUTCString()],
		['description', episodeDescription(result)],
		['itunes:duration', durationSeconds === undefined ? undefined : Math.round(durationSeconds)],
		['itunes:season', details.seasonNumber],
		['itunes:episode', details.episodeNumber],
		['itunes:episodeType', details.episodeType],
		['itunes:explicit', isExplicit === undefined ? undefined : String(isExplicit)],
	];
	return [
		...values.flatMap(([name, value]) =>
			value === undefined ? [] : [element(name, {}, String(value))],
		),
		element('guid', { isPermaLink: 'false' }, details.guid),
		...(imageUrl === undefined ? [] : [element('itunes:image', { href: imageUrl })]),
	];
}
