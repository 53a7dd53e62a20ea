import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';

import { cutSchema, type Cut } from '../shared/cuts.mts';
import { hasValues, updateHeld, type Token } from './claims.mts';
import type { Moment } from '../shared/clock.mts';
import { atLeastStored } from './files/folderAge.mts';
import { idsOf, type Database } from './database.mts';
import type { Review } from './edit.mts';

/** The decisions about the cuts of an edit, and how often somebody decided. */
export interface Decisions {
	revision: number;
	cuts: readonly Cut[];
}

/**
 * The condition that an edit waits for its review, and nobody decided since a revision.
 * @param ageMs refuses what comes after the end of the review; 0 for that end itself.
 */
export const waitsAt = (revision: number, ageMs: number): RawBuilder<boolean> =>
	sql<boolean>`review_until_age_ms > ${ageMs} AND review_revision = ${revision}`;

/** Returns the columns of a decision that follows a revision. */
export function decisionValues(review: Review, { revision, cuts }: Decisions) {
	const decided = { review: JSON.stringify(review), cuts: JSON.stringify(cuts) };
	return { ...decided, review_revision: revision + 1 };
}

/**
 * The reviews of edits, in their rows. Their time counts as the retention does, so that changing the machine's clock
 * ends none.
 */
export class ReviewStore {
	constructor(private readonly database: Database) {}

	/** Lets an unfinished edit wait for its review. Returns false as `EditStore.succeed` does. */
	async begin(
		id: string,
		review: Review,
		cuts: readonly Cut[],
		{ nowMs, ageMs }: Moment,
		token: Token = null,
	): Promise<boolean> {
		const durationMs = Math.round(review.untilMs - review.beganAtMs);
		const values = {
			status: 'POSTPROCESSING',
			updated_at_ms: nowMs,
			review_until_age_ms: sql<number>`${atLeastStored(ageMs)} + CAST(${durationMs} AS BIGINT)`,
			review: JSON.stringify(review),
			cuts: JSON.stringify(cuts),
		};
		return await this.database.run((tables) => updateHeld(tables, id, values, token));
	}

	/** Returns the decisions about an edit; undefined if it has none. */
	async decisionsOf(id: string): Promise<Decisions | undefined> {
		const row = await this.database.run((tables) =>
			tables
				.selectFrom('edits')
				.select(['cuts', 'review_revision as revision'])
				.where('id', '=', id)
				.executeTakeFirst(),
		);
		if (!row?.cuts) return undefined;
		return { revision: row.revision, cuts: z.array(cutSchema).parse(JSON.parse(row.cuts)) };
	}

	/**
	 * Stores decisions about an edit that waits; if they are approved, it waits no longer.
	 * @param decisions with the revision that they follow.
	 * @returns false if it does not wait, or somebody decided since that revision.
	 */
	async decide(id: string, review: Review, decisions: Decisions, { nowMs, ageMs }: Moment) {
		const values = {
			...decisionValues(review, decisions),
			updated_at_ms: nowMs,
			...(review.approvedAtMs !== null && { review_until_age_ms: null }),
		};
		const isEnd = review.approvedAtMs !== null && review.approvedBy === null;
		const condition = waitsAt(decisions.revision, isEnd ? 0 : ageMs);
		const isFirst = await this.database.run((tables) =>
			updateHeld(tables, id, values, null, condition),
		);
		if (isFirst) return true;
		const decided = decisionValues(review, decisions);
		return await this.database.run((tables) => hasValues(tables, id, decided));
	}

	/** Returns the ids of edits whose review is over. */
	async dueIds(ageMs: number): Promise<string[]> {
		return await idsOf(this.database, (tables) =>
			tables
				.selectFrom('edits')
				.select('id')
				.where('review_until_age_ms', '<=', ageMs)
				.where('finished_at_ms', 'is', null),
		);
	}

	/** Counts the edits that wait for a review. */
	async waiting(): Promise<number> {
		const row = await this.database.run((tables) =>
			tables
				.selectFrom('edits')
				.select(({ fn }) => fn.countAll<number>().as('count'))
				.where('review_until_age_ms', 'is not', null)
				.executeTakeFirstOrThrow(),
		);
		return row.count;
	}
}
