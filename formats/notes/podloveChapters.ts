import type { EditResult } from '../../api/contract';
import { timedChaptersOf } from './chapters';
import { normalPlayTime } from '../values';
import { element, parent } from '../feed/xml';

/**
 * The chapters as an XML element for a feed item: Podlove Simple Chapters 1.2. Spotify and many
 * players read them there (https://support.spotify.com/us/creators/article/creating-and-managing-chapters/).
 *
 * Source: https://podlove.org/simple-chapters
 *
 * @returns undefined if no chapter has a time
 */
export function podloveChapters(result: EditResult | undefined): string | undefined {
	const chapters = timedChaptersOf(result);
	if (chapters.length === 0) return undefined;
	const attributes = { version: '1.2', 'xmlns:psc': 'http://podlove.org/simple-chapters' };
	const entries = chapters.map(({ startSeconds, title, url, imageUrl }) => {
		const start = normalPlayTime(startSeconds * 1_000);
		return element('psc:chapter', { start, title, href: url, image: imageUrl });
	});
	return parent('psc:chapters', attributes, entries);
}
