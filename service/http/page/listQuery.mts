import { z } from 'zod';

import { EDIT_STATES } from '../../store/editLists.mts';
import { MAX_SEARCH_CHARACTERS } from '../../store/fileNameSearch.mts';

/** How many rows can be open at once; the one that was opened first closes. */
const MAX_OPEN = 5;

/** Which edits the page shows. An unusable value is as good as none. */
export const listQuerySchema = z.object({
	/** Words in the names of their files. */
	q: z
		.string()
		.transform((text) => text.trim().slice(0, MAX_SEARCH_CHARACTERS))
		.catch(''),
	state: z.enum(EDIT_STATES).optional().catch(undefined),
	page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
	/** The ids of the edits whose rows are open, with commas between them. */
	open: z
		.string()
		.transform((ids) => ids.split(',').filter(Boolean).slice(-MAX_OPEN))
		.catch([]),
});

export type ListQuery = z.infer<typeof listQuerySchema>;

/** Returns the address of the page with these edits. */
export function addressOf({ q, state, page = 1, open = [] }: Partial<ListQuery>): string {
	const query = new URLSearchParams({
		...(q && { q }),
		...(state && { state }),
		...(page > 1 && { page: String(page) }),
		...(open.length > 0 && { open: open.join() }),
	});
	return query.size === 0 ? '/' : `/?${query.toString()}`;
}

/** Returns the address of the same page with the row of an edit opened, or closed if it is open. */
export function toggleAddress(query: ListQuery, id: string): string {
	const others = query.open.filter((one) => one !== id);
	const open = others.length < query.open.length ? others : [...others, id].slice(-MAX_OPEN);
	return `${addressOf({ ...query, open })}#edit-${id}`;
}
