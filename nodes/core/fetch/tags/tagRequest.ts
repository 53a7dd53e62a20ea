import { timedChaptersOf } from '../../../../formats/notes/chapters';
import type { TagRequest } from '../../../../formats/tags/episodeTags';
import { onOneLine } from '../../../../formats/values';
import { type EditToFetch, readCover } from './cover';
import type { Tagging } from './readTagging';

/** What to write, completed from the summary and with the cover; undefined if there is nothing. */
export async function requestOf(
	fetched: EditToFetch,
	{ tags, existing, fillsFromSummary, cover, chapters: asked }: Tagging,
	notes: string[],
): Promise<TagRequest | undefined> {
	const { result } = fetched;
	const { title = '', summary = '' } = (fillsFromSummary && result?.summarization) || {};
	const chapters = asked === 'summary' ? timedChaptersOf(result) : asked;
	if (chapters?.length === 0) {
		notes.push(
			"Chapters left out of the edited file, because the summary has none with times. Switch on 'Summarize' when you create the edit",
		);
	}
	const read = cover && (await readCover(fetched, cover));
	if (read?.note !== undefined)
		notes.push(`Cover left out of the edited file, because ${read.note}`);
	const all = {
		...tags,
		title: tags.title ?? (onOneLine(title) || undefined),
		description: tags.description ?? (summary.trim() || undefined),
		cover: read?.picture,
	};
	const hasChapters = chapters !== undefined && chapters.length > 0;
	const writes = hasChapters || Object.values(all).some((value) => value !== undefined);
	if (!writes && existing === 'keep') return undefined;
	return { tags: all, existing, ...(hasChapters && { chapters }) };
}
