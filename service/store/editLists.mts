import { sql, type ExpressionBuilder } from 'kysely';

import { phaseOf } from '../shared/contract.mts';
import type { Database } from './database.mts';
import type { Tables } from './schema.mts';

/** What an edit is doing, as a person sees it. */
export const EDIT_STATES = ['review', 'running', 'pending', 'succeeded', 'failed'] as const;

export type EditState = (typeof EDIT_STATES)[number];

/** How many edits there are of each state. */
export type EditCounts = Readonly<Record<EditState, number>>;

/** The condition for a state, in the database's columns. */
export function isInState(state: EditState) {
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

/** The edits that wait for a review, among those of a status. */
const WAITING = sql<number>`COUNT(CASE WHEN finished_at_ms IS NULL THEN review_until_age_ms END)`;

/** Counts the edits of one owner, or of all owners, by what they are doing. */
export async function countEdits(database: Database, ownerId: string | null): Promise<EditCounts> {
	const rows = await database.run((tables) =>
		tables
			.selectFrom('edits')
			.select(['status', ({ fn }) => fn.countAll<number>().as('edits'), WAITING.as('waiting')])
			.$if(ownerId !== null, (edits) => edits.where('owner_id', '=', ownerId))
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
