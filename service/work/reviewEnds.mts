import { messageOf } from '../shared/failures.mts';
import { waitsForReview } from '../store/edit.mts';
import { waitsAt } from '../store/reviewStore.mts';
import type { StorageTools } from './editTools.mts';
import { removeEditFiles } from './fileRemoval.mts';
import { approve, readKeptRecording, type ReviewedEdit } from './review.mts';

/** Service milliseconds between two looks for reviews whose time is over. */
export const REVIEW_LOOK_MS = 30_000;

type Enqueue = (id: string, ownerId: string) => void;

/** Ends the reviews whose time is over: approves the cuts as they are, or fails the edit. */
export async function endDueReviews(tools: StorageTools, enqueue: Enqueue): Promise<void> {
	for (const id of await tools.reviews.dueIds(tools.clock.moment().ageMs)) {
		try {
			const edit = await tools.store.find(id);
			if (!edit?.review || !waitsForReview(edit)) continue;
			await endReview({ ...edit, review: edit.review }, tools, enqueue);
		} catch (trouble) {
			tools.log(`edit ${id}: cannot end its review now (${messageOf(trouble)})`);
		}
	}
}

/** Ends one review. Somebody may approve the cuts at the same moment: only one of both counts. */
async function endReview(edit: ReviewedEdit, tools: StorageTools, enqueue: Enqueue): Promise<void> {
	const { review } = edit.request;
	const kept = await readKeptRecording(edit, tools);
	const decisions = await tools.reviews.decisionsOf(edit.id);
	if (decisions === undefined) return;
	if (kept !== undefined && review?.ends === 'approve') {
		await approve(edit, { kept, decisions, by: null }, tools, enqueue);
		return;
	}
	const reason = kept
		? `Nobody approved the cuts within ${review?.hours} hours (--review-ends fail). Create the edit again and approve its cuts in time, or start the service with more --review-hours`
		: 'The recording that was kept for the review was deleted: create the edit again';
	const failure = { reason, kind: 'known', failedIn: edit.status } as const;
	const end = { values: {}, condition: waitsAt(decisions.revision, 0) };
	if (!(await tools.store.fail(edit.id, failure, tools.clock.moment(), null, end))) return;
	tools.log(`edit ${edit.id} FAILURE (${reason})`);
	await removeEditFiles(edit.id, tools);
}
