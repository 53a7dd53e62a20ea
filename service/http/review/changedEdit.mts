import { randomUUID } from 'node:crypto';

import type { ServiceContext } from '../context.mts';
import { refuseOverQuota } from '../protocol/limits.mts';
import { HttpProblem } from '../protocol/problems.mts';
import { queueEdit } from '../queueEdit.mts';
import type { NewEdit } from '../../store/editStore.mts';
import { reviewJson } from './reviewLinks.mts';
import type { ReadReview } from './reviewState.mts';

/**
 * Creates an edit that changes the cuts of an approved one: with what that one kept, from its decisions on.
 * The result is not delivered again, because the client's `signed_url` has been used.
 * @param untilMs when the link ends that asks for it: the new one gives nobody more time.
 * @throws HttpProblem (409) if it has not ended since its approval, (413, 429) over the limits of its key.
 */
export async function createChangedEdit(
	{ edit, decisions }: ReadReview,
	context: ServiceContext,
	untilMs: number,
) {
	if (edit.finishedAtMs === null || edit.review.approvedAtMs === null) {
		throw new HttpProblem(409, `Only an edit that has ended can be changed; it is ${edit.status}`);
	}
	const { tools, settings } = context;
	const { ownerId, templateId, request } = edit;
	await refuseOverQuota(tools, ownerId);
	const { reviewHours: hours, reviewEnds: ends } = settings;
	const newEdit: NewEdit = {
		id: randomUUID(),
		ownerId,
		createdAtMs: tools.clock.nowMs(),
		templateId,
		request: {
			...request,
			config: { ...request.config, signed_url: null },
			review: { hours: request.local.review_hours ?? hours, ends },
			changes: edit.id,
		},
		cuts: decisions.cuts,
	};
	await queueEdit(newEdit, context, `, changes the cuts of edit ${edit.id}`);
	return { id: newEdit.id, ...reviewJson(newEdit, context, untilMs - newEdit.createdAtMs) };
}
