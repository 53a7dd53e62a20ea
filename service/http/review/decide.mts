import { z } from 'zod';

import type { ServiceContext } from '../context.mts';
import { HttpProblem } from '../protocol/problems.mts';
import type { StoredEdit } from '../../store/edit.mts';
import { approve, readKeptRecording } from '../../work/review.mts';
import { readDecision } from './decisionBody.mts';
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
 * Stores what somebody decided, and returns the new state.
 * @throws ValidationProblem; HttpProblem (409) if somebody else was faster or the review is over.
 */
export async function decide(read: ReadReview, body: unknown, context: ServiceContext) {
	const { edit, kept, decisions } = read;
	const { tools, queue } = context;
	const lengths = kept.tracks.map(({ frames, sampleRateHz }) =>
		Math.round((frames / sampleRateHz) * kept.sampleRateHz),
	);
	const known = { found: kept.cuts, current: decisions.cuts };
	const decision = readDecision(body, known, kept, lengths);
	const { revision, cuts = decisions.cuts, isApproved, by } = decision;
	const decided = { revision, cuts };
	const isFirst = isApproved
		? await approve(edit, { kept, decisions: decided, by }, tools, (...named) => {
				queue.add(...named);
			})
		: await tools.reviews.decide(edit.id, edit.review, decided, tools.clock.moment());
	if (!isFirst) {
		throw new HttpProblem(
			409,
			'Somebody else has decided in the meantime, or the review is over. Reload it',
		);
	}
	return await shortState(await readReview(edit.id, context), context);
}
