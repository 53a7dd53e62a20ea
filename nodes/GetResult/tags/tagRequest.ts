import type { Client } from '../../../api/client';
import type { EditResult } from '../../../api/contract';
import { timedChaptersOf } from '../../../formats/notes/chapters';
import type { Picture, TagRequest } from '../../../formats/tags/episodeTags';
import { onOneLine } from '../../../formats/values';
import { readCover } from './cover';
import type { Tagging } from './readTagging';
import type { NodeRun } from '../../shared/run/nodeRun';

/** A finished edit, the item it belongs to, and the client of the service. */
export interface EditToFetch {
	readonly run: NodeRun;
	readonly client: Client;
	readonly itemIndex: number;
	readonly editId: string;
	/** With the names of its speakers, as in the texts: they decide which soundbites are chosen. */
	readonly result: EditResult | undefined;
}

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
			"Chapters left out of the edited file, since the summary has none with times. Switch on 'Summarize' when you create the edit",
		);
	}
	const picture = cover && (await pictureFrom(fetched, cover, notes));
	const all = {
		...tags,
		title: tags.title ?? (onOneLine(title) || undefined),
		description: tags.description ?? (summary.trim() || undefined),
		cover: picture,
	};
	const hasChapters = chapters !== undefined && chapters.length > 0;
	const writes = hasChapters || Object.values(all).some((value) => value !== undefined);
	if (!writes && existing === 'keep') return undefined;
	return { tags: all, existing, ...(hasChapters && { chapters }) };
}

async function pictureFrom(
	{ run, client, itemIndex }: EditToFetch,
	from: NonNullable<Tagging['cover']>,
	notes: string[],
): Promise<Picture | undefined> {
	const cover = await readCover(run, client, itemIndex, from);
	if ('picture' in cover) return cover.picture;
	notes.push(`Cover left out of the edited file, since ${cover.note}`);
	return undefined;
}
