import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';

import { cutSchema, type Cut } from '../shared/cuts.mts';
import { hasValues, updateHeld, type Token } from './claims.mts';
import { idsOf, type Database } from './database.mts';
import type { Review } from './edit.mts';

/** The decisions about the cuts of an edit, and how often somebody decided. */
export interface Decisions {
	revision: number;
	cuts: readonly Cut[];
}

/**
 * The condition that an edit waits for its review, and nobody decided since a revision.
 * @param nowMs refuses what comes after the end of the review; 0 for that end itself.
 */
export const waitsAt = (revision: number, nowMs: number): RawBuilder<boolean> =>
	sql<boolean>`review_until_ms > ${nowMs} AND review_revision = ${revision}`;

/** Returns the columns of a decision that follows a revision. */
export function decisionValues(review: Review, { revision, cuts }: Decisions) {
	const decided = { review: JSON.stringify(review), cuts: JSON.stringify(cuts) };
	return { ...decided, review_revision: revision + 1 };
}

/** The reviews of edits, in their rows. Times in milliseconds on the service's clock. */
export class ReviewStore {
	constructor(private readonly database: Database) {}

	/** Lets an unfinished edit wait for its review. Returns false as `EditStore.succeed` does. */
	async begin(
		id: string,
		review: Review,
		cuts: readonly Cut[],
		nowMs: number,
		token: Token = null,
	): Promise<boolean> {
		const values = {
			status: 'POSTPROCESSING',
			updated_at_ms: nowMs,
			review_until_ms: review.untilMs,
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
	async decide(id: string, review: Review, decisions: Decisions, nowMs: number): Promise<boolean> {
		const values = {
			...decisionValues(review, decisions),
			updated_at_ms: nowMs,
			...(review.approvedAtMs !== null && { review_until_ms: null }),
		};
		const isEnd = review.approvedAtMs !== null && review.approvedBy === null;
		const condition = waitsAt(decisions.revision, isEnd ? 0 : nowMs);
		const isFirst = await this.database.run((tables) =>
			updateHeld(tables, id, values, null, condition),
		);
		if (isFirst) return true;
		const decided = decisionValues(review, decisions);
		return await this.database.run((tables) => hasValues(tables, id, decided));
	}

	/** Returns the ids of edits whose review is over. */
	async dueIds(nowMs: number): Promise<string[]> {
		return await idsOf(this.database, (tables) =>
			tables
				.selectFrom('edits')
				.select('id')
				.where('review_until_ms', '<=', nowMs)
				.where('finished_at_ms', 'is', null),
		);
	}

	/** Counts the edits that wait for a review. */
	async waiting(): Promise<number> {
		const row = await this.database.run((tables) =>
			tables
				.selectFrom('edits')
				.select(({ fn }) => fn.countAll<number>().as('count'))
				.where('review_until_ms', 'is not', null)
				.executeTakeFirstOrThrow(),
		);
		return row.count;
	}
}
