/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests are not a community node: they load parsers */
import { createRequire } from 'module';

/*
 * Two parsers of podcast feeds, which share no code for the podcast namespace. They are loaded when a test runs, so
 * that types and linters can be checked where they are not installed yet.
 */

/** What podcast-partytime reads of an item. */
interface PartytimeItem {
	readonly podcastTranscripts?: ReadonlyArray<Readonly<Record<string, unknown>>>;
	readonly alternativeEnclosures?: readonly unknown[];
	readonly podcastTxt?: ReadonlyArray<{ readonly purpose?: string; readonly value: string }>;
}

/** What feedsmith reads of an item. */
interface FeedsmithItem {
	readonly podcast?: {
		readonly transcripts?: readonly unknown[];
		readonly alternateEnclosures?: readonly unknown[];
		readonly txts?: readonly unknown[];
	};
	readonly psc?: { readonly chapters?: readonly unknown[] };
}

interface Partytime {
	parseFeed(xml: string): { readonly items: readonly PartytimeItem[] } | null;
}

interface Feedsmith {
	parseRssFeed(xml: string): { readonly items?: readonly FeedsmithItem[] };
}

const load = createRequire(__filename);

/** The first item of a feed, as each parser reads it. */
export function readByBothParsers(feed: string) {
	const { parseFeed } = load('podcast-partytime') as Partytime;
	const { parseRssFeed } = load('feedsmith') as Feedsmith;
	return {
		partytime: parseFeed(feed)?.items[0],
		feedsmith: parseRssFeed(feed).items?.[0],
	};
}
