import { sql, type ExpressionBuilder } from 'kysely';

import { phaseOf } from '../shared/contract.mts';
import type { Database } from './database.mts';
import { isNamed } from './fileNameSearch.mts';
import type { Tables } from './schema.mts';

/** What an edit is doing, as a person sees it. */
export const EDIT_STATES = ['review', 'running', 'pending', 'succeeded', 'failed'] as const;

export type EditState = (typeof EDIT_STATES)[number];

/** Which edits are listed: of a state, or with words in their file names. */
export interface Listed {
	state?: EditState | undefined;
	search?: string;
}

/** How many edits there are of each state. */
export type EditCounts = Readonly<Record<EditState, number>>;

/** The condition for a list, in the database's columns. */
export function isListed({ state, search = '' }: Listed) {
	return (column: ExpressionBuilder<Tables, 'edits'>) =>
		column.and([
			isNamed(search)(column),
			...(state === undefined ? [] : [isInState(state)(column)]),
		]);
}

function isInState(state: EditState) {
	return (column: ExpressionBuilder<Tables, 'edits'>) => {
		if (state === 'succeeded') return column('status', '=', 'SUCCESS');
		if (state === 'failed') return column('status', '=', 'FAILURE');
		const isOpen = column('finished_at_ms', 'is', null);
		if (state === 'review')
			return column.and([isOpen, column('review_until_age_ms', 'is not', null)]);
		const isPending = column('status', state === 'pending' ? '=' : '!=', 'PENDING');
		return column.and([isOpen, column('review_until_age_ms', 'is', null), isPending]);
	};
}

/** The edits that wait for a review, among those of a status: the end of an edit clears the column. */
const WAITING = sql<number>`COUNT(review_until_age_ms)`;

/** Counts the edits of one owner, or of all owners, with words in their file names, by what they are doing. */
export async function countEdits(
	database: Database,
	ownerId: string | null,
	search: string,
): Promise<EditCounts> {
	const rows = await database.run((tables) =>
		tables
			.selectFrom('edits')
			.select(['status', ({ fn }) => fn.countAll<number>().as('edits'), WAITING.as('waiting')])
			.$if(ownerId !== null, (edits) => edits.where('owner_id', '=', ownerId))
			.where(isNamed(search))
			.groupBy('status')
			.execute(),
	);
	const counts = { review: 0, running: 0, pending: 0, succeeded: 0, failed: 0 };
	for (const { status, edits, waiting } of rows) {
		counts.review += waiting;
		counts[phaseOf(status)] += edits - waiting;
	}
	return counts;
}
