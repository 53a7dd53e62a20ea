import { isDeepStrictEqual } from 'node:util';

import { keptRecordingSchema, KEPT_FILE_NAME } from '../engine/review/keptSchema.mts';
import type { KeptRecording } from '../engine/review/keptSchema.mts';
import type { Cut } from '../shared/cuts.mts';
import { messageOf } from '../shared/failures.mts';
import type { Review, StoredEdit } from '../store/edit.mts';
import { decisionValues, waitsAt, type Decisions } from '../store/reviewStore.mts';
import { DECISIONS_FILE_NAME, decisionsText } from './decisions.mts';
import type { StorageTools } from './editTools.mts';

/** An edit whose cuts can be reviewed, or were. */
export type ReviewedEdit = StoredEdit & { review: Review };

/** Returns what is kept of a recording for its review; undefined if it was deleted or is damaged. */
export async function readKeptRecording(
	edit: ReviewedEdit,
	{ files }: Pick<StorageTools, 'files'>,
): Promise<KeptRecording | undefined> {
	const run = { editId: edit.id, run: edit.review.keptRun };
	const text = await files.readResult(run, KEPT_FILE_NAME);
	try {
		return text === undefined ? undefined : keptRecordingSchema.parse(JSON.parse(text));
	} catch {
		return undefined;
	}
}

/**
 * Approves the cuts of an edit that waits. If they are those of its draft, and nothing is to be delivered
 * or mailed, the draft becomes the result at once; otherwise the edit is queued and rendered.
 *
 * @param by the name of the person; null if the time of the review is over.
 * @param decisions with the revision that they follow.
 * @returns false if somebody else was faster; nothing has changed then.
 */
export async function approve(
	edit: ReviewedEdit,
	{ kept, decisions, by }: { kept: KeptRecording; decisions: Decisions; by: string | null },
	tools: StorageTools,
	enqueue: (id: string, ownerId: string) => void,
): Promise<boolean> {
	const { store, reviews, clock, log } = tools;
	const moment = clock.moment();
	const review = { ...edit.review, approvedBy: by, approvedAtMs: moment.nowMs };
	const who = by === null ? 'the end of its review' : JSON.stringify(by);
	const { signed_url: target, send_email: isMailed } = edit.request.config;
	const isAsDraft = isDeepStrictEqual(appliedOf(decisions.cuts), appliedOf(kept.cuts));
	if (!isAsDraft || target !== null || isMailed) {
		if (!(await reviews.decide(edit.id, review, decisions, moment))) return false;
		log(`edit ${edit.id} approved by ${who}, will be rendered`);
		enqueue(edit.id, edit.ownerId);
		return true;
	}
	const values = decisionValues(review, decisions);
	const end = { values, condition: waitsAt(decisions.revision, by === null ? 0 : moment.ageMs) };
	const write = () => writeBesideResult({ ...edit, review }, kept, decisions.cuts, tools);
	// Before, because the process may be killed after; and after, because somebody else may be slower.
	await write();
	if (!(await store.succeed(edit.id, review.draft, moment, null, end))) return false;
	log(`edit ${edit.id} approved by ${who}, its draft is the result: SUCCESS`);
	await write();
	return true;
}

/** What cuts come to in the sound. */
function appliedOf(cuts: readonly Cut[]) {
	const applied = cuts.filter(({ keep }) => !keep).map(({ start, end }) => ({ start, end }));
	return applied.sort((a, b) => a.start - b.start);
}

/** Writes the decisions beside a result. Never throws: the row has them as well. */
async function writeBesideResult(
	{ id, review }: ReviewedEdit,
	kept: KeptRecording,
	cuts: readonly Cut[],
	{ files, log }: StorageTools,
): Promise<void> {
	try {
		const text = decisionsText(id, review, kept, cuts);
		await files.writeResult({ editId: id, run: review.draft.run }, DECISIONS_FILE_NAME, text);
	} catch (trouble) {
		log(`edit ${id}: cannot write ${DECISIONS_FILE_NAME} (${messageOf(trouble)})`);
	}
}
