import { sql, type Kysely, type Selectable } from 'kysely';

import type { Database } from './database.mts';
import { reviewSchema } from './edit.mts';
import type { Tables } from './schema.mts';

/** What the row of an edit that has ended does not say of its end. */
export interface End {
	/** As of the failure; empty for SUCCESS. */
	readonly failedIn: string;
	readonly kind: string;
	readonly recordingMs: number;
}

/** Adds the end of an edit to the totals. Its row must have its final status and times. */
export async function countEnd(tables: Kysely<Tables>, id: string, end: End): Promise<void> {
	const { failedIn: failed_in, kind, recordingMs: recording_ms } = end;
	const { status, created, started, finished, review } = await tables
		.selectFrom('edits')
		.select(['status', 'created_at_ms as created', 'started_at_ms as started', 'review'])
		.select(sql<number>`finished_at_ms`.as('finished'))
		.where('id', '=', id)
		.executeTakeFirstOrThrow();
	// An edit that never began has only waited. A clock that was set back must not shrink a total.
	const wait_ms = Math.max(0, (started ?? finished) - created);
	const run_ms = Math.max(0, finished - (started ?? finished) - reviewMsOf(review));
	await tables
		.insertInto('totals')
		.values({ status, failed_in, kind, edits: 1, wait_ms, run_ms, recording_ms })
		.onConflict((conflict) =>
			conflict.columns(['status', 'failed_in', 'kind']).doUpdateSet({
				edits: sql`totals.edits + 1`,
				wait_ms: sql`totals.wait_ms + ${wait_ms}`,
				run_ms: sql`totals.run_ms + ${run_ms}`,
				recording_ms: sql`totals.recording_ms + ${recording_ms}`,
			}),
		)
		.execute();
}

/** Returns how long an edit waited for a person, which is no work. */
function reviewMsOf(review: string | null): number {
	if (review === null) return 0;
	const { beganAtMs, approvedAtMs } = reviewSchema.parse(JSON.parse(review));
	return (approvedAtMs ?? beganAtMs) - beganAtMs;
}

/** Every edit that ever ended, by how it did. Times in milliseconds on the service's clock. */
export type Totals = readonly Selectable<Tables['totals']>[];

/** The edits of one status that are kept now. */
export interface Kept {
	readonly status: string;
	readonly edits: number;
	/** Of their results. */
	readonly bytes: number;
	/** Those that wait for a review. */
	readonly waiting: number;
	/**
	 * When the oldest was submitted that does not wait for a review, and the oldest that never had a place
	 * at the processor, if any.
	 */
	readonly oldestMs: number | null;
	readonly oldestNewMs: number | null;
}

/** Reads all figures about the edits of all owners. */
export async function measureEdits(
	database: Database,
): Promise<{ totals: Totals; kept: readonly Kept[]; uploadBytes: number }> {
	const totals = await database.run((tables) => tables.selectFrom('totals').selectAll().execute());
	const kept = await database.run((tables) =>
		tables
			.selectFrom('edits')
			.select(['status', sql<number>`COUNT(*)`.as('edits'), sql<number>`SUM(bytes)`.as('bytes')])
			.select(sql<number>`COUNT(review_until_age_ms)`.as('waiting'))
			.select(
				sql<number>`MIN(CASE WHEN review_until_age_ms IS NULL THEN created_at_ms END)`.as(
					'oldestMs',
				),
			)
			.select(
				sql<number>`MIN(CASE WHEN started_at_ms IS NULL THEN created_at_ms END)`.as('oldestNewMs'),
			)
			.groupBy('status')
			.execute(),
	);
	const sum = sql<number>`COALESCE(SUM(bytes), 0)`.as('uploadBytes');
	const uploads = await database.run((tables) =>
		tables.selectFrom('uploads').select(sum).executeTakeFirstOrThrow(),
	);
	return { totals, kept, ...uploads };
}
