import { z } from 'zod';

import type { ServiceContext } from '../context.mts';
import { HttpProblem } from '../protocol/problems.mts';
import type { StoredEdit } from '../../store/edit.mts';
import { approve, readKeptRecording } from '../../work/review.mts';
import { decidedCuts, placeOf, readAsked, type AskedDecision } from './decisionBody.mts';
import { shortState, type ReadReview } from './reviewState.mts';

/** 10,000 cuts with all their seven keys fit. */
export const MAX_VALUES = 100_000;
export const MAX_BODY_BYTES = 2_097_152;

const pathSchema = z.object({ edit_id: z.string() });

/** Returns the edit that a path names. */
export function editIdOf(params: unknown): string {
	return pathSchema.parse(params).edit_id;
}

/** Reads what the routes of a review need. @throws HttpProblem (404, 409) if there is none. */
export async function readReview(
	editId: string,
	{ tools }: ServiceContext,
	ownerId?: string,
): Promise<ReadReview> {
	const edit = await tools.store.find(editId);
	if (edit === undefined || (ownerId !== undefined && edit.ownerId !== ownerId)) {
		throw new HttpProblem(404, 'There is no such edit. It may have been deleted');
	}
	const { review } = edit;
	const reviewed = review && { ...edit, review };
	const kept = reviewed && (await readKeptRecording(reviewed, tools));
	const decisions = await tools.reviews.decisionsOf(editId);
	if (!reviewed || !kept || !decisions) throw withoutReview(edit);
	return { edit: reviewed, kept, decisions };
}

/** Returns why an edit has no review: not yet (409), or none at all or any more (404). */
function withoutReview(edit: StoredEdit): HttpProblem {
	const { request, review, status, outcome, failureReason } = edit;
	if (request.review === null) return new HttpProblem(404, 'This edit has no review');
	if (failureReason !== null) {
		return new HttpProblem(404, `The edit failed, so there is nothing to review: ${failureReason}`);
	}
	if (review !== null) return new HttpProblem(404, 'The recording of this review was deleted');
	if (outcome === null) {
		return new HttpProblem(409, `The cuts are still being found; the status is ${status}`);
	}
	return new HttpProblem(404, 'Nothing was found to cut: the edit finished without a review');
}

/**
 * Stores what somebody decided, and returns the new state. Decisions that were approved before are not stored again.
 * @throws ValidationProblem; HttpProblem (409) if somebody else was faster or the review is over.
 */
export async function decide(read: ReadReview, body: unknown, context: ServiceContext) {
	const { edit, kept, decisions } = read;
	const { tools, queue } = context;
	const known = { found: kept.cuts, current: decisions.cuts };
	const asked = readAsked(body, known);
	const { revision, isApproved, by } = asked;
	if (revision !== decisions.revision) return await stateIfApproved(asked, read, context);
	const lengths = kept.tracks.map(({ frames, sampleRateHz }) =>
		Math.round((frames / sampleRateHz) * kept.sampleRateHz),
	);
	const cuts = decidedCuts(asked, known, kept, lengths) ?? decisions.cuts;
	const decided = { revision, cuts };
	const isFirst = isApproved
		? await approve(edit, { kept, decisions: decided, by }, tools, (...named) => {
				queue.add(...named);
			})
		: await tools.reviews.decide(edit.id, edit.review, decided, tools.clock.moment());
	if (!isFirst) return await stateIfApproved(asked, read, context);
	return await shortState(await readReview(edit.id, context), context);
}

/** Returns the state of a review that has moved on, if it was by the same approval. @throws HttpProblem (409) otherwise */
async function stateIfApproved(
	asked: AskedDecision,
	{ edit }: ReadReview,
	context: ServiceContext,
) {
	// The same request may come twice at once, so that the first one has just approved.
	const now = await readReview(edit.id, context);
	if (isApprovedBefore(asked, now)) return await shortState(now, context);
	throw new HttpProblem(
		409,
		'Somebody else has decided in the meantime, or the review is over. Reload it',
	);
}

/** Whether the same person has approved the same decisions about single cuts, as when a request is sent again. */
function isApprovedBefore(
	{ decisions: asked, revision, isApproved, by }: AskedDecision,
	{ edit: { review }, decisions }: ReadReview,
): boolean {
	if (asked === undefined || !isApproved || review.approvedAtMs === null) return false;
	const keeps = new Map(decisions.cuts.map((cut) => [placeOf(cut), cut.keep]));
	return (
		review.approvedBy === by &&
		decisions.revision === revision + 1 &&
		asked.every((decision) => keeps.get(placeOf(decision)) === decision.keep)
	);
}
