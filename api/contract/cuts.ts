import { z } from 'zod';

import { entryOf, listOf, textOrNothing } from './tolerance';

/*
 * GET and PUT /local/edits/{edit_id}/cuts, which only the local service has: the least certain cuts of an edit that
 * waits for its review, and decisions about them.
 */

/** More questions than anybody answers. */
export const MAX_DOUBTFUL_CUTS = 50;

const sample = z.number().int().nonnegative();

const doubtfulCutSchema = z
	.object({
		kind: z.string(),
		/** The place of the cut, in samples of the uncut recording: together, they name it. */
		start: sample,
		end: sample,
		start_seconds: z.number(),
		end_seconds: z.number(),
		/** 0 to 1. Above 0.5, something that was heard speaks against the cut. */
		doubt: z.number(),
		/** Why it is doubtful. */
		reason: z.string(),
	})
	.passthrough();

/** A cut of an edit that waits for its review. */
export type DoubtfulCut = z.infer<typeof doubtfulCutSchema>;

const reviewSchema = z.object({
	title: textOrNothing,
	state: z.string(),
	/** How often somebody decided. */
	revision: z.number().int(),
	review_until: textOrNothing,
	approved_by: z.string().nullish().catch(undefined),
});

/** The response of PUT /local/edits/{edit_id}/cuts, as far as the nodes read it. */
export const cutsReviewSchema = reviewSchema.passthrough();

/** The response of GET /local/edits/{edit_id}/cuts with `doubtful`. */
export const doubtfulCutsSchema = reviewSchema
	.extend({ doubtful: listOf(entryOf(doubtfulCutSchema)) })
	.passthrough();

/** The response of GET /local/edits/{edit_id}/cuts with `doubtful`. */
export type DoubtfulCuts = z.infer<typeof doubtfulCutsSchema>;

/** The response of PUT /local/edits/{edit_id}/cuts. */
export type CutsReview = z.infer<typeof cutsReviewSchema>;

/** Whether the sound of a cut stays. */
export interface CutDecision {
	readonly start: number;
	readonly end: number;
	readonly keep: boolean;
}

/** The body of PUT /local/edits/{edit_id}/cuts, as the nodes send it. */
export interface CutsApproval {
	/** The revision that the decisions follow. */
	readonly revision: number;
	readonly decisions: readonly CutDecision[];
	readonly approve: true;
	/** Who decides. */
	readonly name: string;
}
