import { html as markup } from 'ghtml';

import { phaseOf } from '../../shared/contract.mts';
import { waitsForReview, type StoredEdit } from '../../store/edit.mts';
import { clock } from '../review/page/client/times.mts';

/** What an edit is doing, in a visitor's words. */
const STATUS_WORDS: Readonly<Record<StoredEdit['status'], string>> = {
	PENDING: 'waiting',
	STARTED: 'starting',
	RETRY: 'starting again',
	PREPROCESSING: 'reading',
	CLASSIFICATION: 'listening',
	EDITING: 'editing',
	POSTPROCESSING: 'leveling',
	EXPORT: 'writing files',
	SUCCESS: 'done',
	FAILURE: 'failed',
};

function wordsOf(edit: StoredEdit): string {
	if (waitsForReview(edit)) return 'to review';
	const { status, recognizedPercent } = edit;
	return recognizedPercent === null
		? STATUS_WORDS[status]
		: `recognizing speech, ${recognizedPercent} %`;
}

/** The words of the link to a review that waits. */
export const REVIEW_WORDS = 'Review the cuts';

/** What an edit's row shows in addition to what is stored of it. */
export interface RowExtras {
	/** A link to the page with this row opened, or closed if it is open. */
	toggle: string;
	/** The card that an open row shows; undefined if the row is closed. */
	card: string | undefined;
	/** The signed link to a review that waits; undefined if there is none, or the page may not show it. */
	review: string | undefined;
}

/** Returns the lengths before and after, or the link to a review, which has no result yet. */
function middleOf({ outcome }: StoredEdit, review: string | undefined): string {
	if (review !== undefined) return markup`<a class="review" href="${review}">${REVIEW_WORDS}</a>`;
	if (outcome === null) return '<span class="lengths"></span>';
	const { durationBeforeSeconds: before, durationAfterSeconds: after } = outcome;
	return markup`<span class="lengths">${clock(before)} → ${clock(after)}</span>`;
}

/** Returns the row of an edit: a line with its files' names, which opens its card. */
export function rowOf(edit: StoredEdit, { toggle, card, review }: RowExtras): string {
	const { id, status, createdAtMs, failureReason } = edit;
	const names = edit.request.sources.map(({ name }) => name).join(' + ');
	const created = new Date(createdAtMs).toISOString();
	const [day, time] = [created.slice(0, 10), created.slice(11, 16)];
	const reason = failureReason === null ? '' : markup`<p class="reason">${failureReason}</p>`;
	return markup`<article id="edit-${id}"><div class="row">
	<h2><a class="toggle" id="row-${id}" href="${toggle}" title="${names}" aria-expanded="${card === undefined ? 'false' : 'true'}">${names}</a></h2>
	!${middleOf(edit, review)}<span class="status ${phaseOf(status)}" title="${status}">${wordsOf(edit)}</span>
	<time datetime="${created}">${day} ${time}<span class="zone"> UTC</span></time>!${reason}</div>!${card ?? ''}</article>`;
}
