import type { ServiceContext } from '../context.mts';
import { resultOf } from '../editView.mts';
import type { KeptRecording } from '../../engine/review/keptSchema.mts';
import { waitsForReview } from '../../store/edit.mts';
import type { Decisions } from '../../store/reviewStore.mts';
import type { ReviewedEdit } from '../../work/review.mts';

/** What the routes of a review have read of an edit. */
export interface ReadReview {
	edit: ReviewedEdit;
	kept: KeptRecording;
	decisions: Decisions;
}

/** Returns how far a review is. */
function stateOf(edit: ReviewedEdit): 'waiting' | 'approved' | 'finished' | 'failed' {
	if (edit.status === 'FAILURE') return 'failed';
	if (edit.finishedAtMs !== null) return 'finished';
	return waitsForReview(edit) ? 'waiting' : 'approved';
}

/** Returns the state of a review without what never changes: the answer to each decision. */
export async function shortState({ edit, kept, decisions }: ReadReview, context: ServiceContext) {
	const { review, outcome } = edit;
	const result = outcome && (await resultOf(edit, outcome, context));
	const { loudness } = kept;
	return {
		edit_id: edit.id,
		title: kept.tracks[0].name,
		state: stateOf(edit),
		revision: decisions.revision,
		review_until: new Date(review.untilMs).toISOString(),
		approved_by: review.approvedBy,
		failure_reason: edit.failureReason,
		mode: kept.mode,
		sample_rate: kept.sampleRateHz,
		samples: kept.samples,
		gain_db: kept.tracks[0].gainDb,
		loudness: loudness && {
			before_lufs: loudness.beforeLufs,
			after_lufs: loudness.afterLufs,
		},
		cuts: decisions.cuts,
		result_url: result?.download_url ?? null,
	};
}

/** Returns the whole state of a review, for its page. */
export async function fullState(read: ReadReview, context: ServiceContext) {
	const { kept } = read;
	return {
		...(await shortState(read, context)),
		tracks: kept.tracks.map(({ name, frames, sampleRateHz, peaksPerSecond, peaks }) => ({
			name,
			seconds: frames / sampleRateHz,
			peaks_per_second: peaksPerSecond,
			peaks,
		})),
		words:
			kept.heard?.words.map(({ text, startSeconds: start, endSeconds: end }) => {
				return { text, start, end };
			}) ?? null,
	};
}
