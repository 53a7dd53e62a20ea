import type { KeptRecording } from '../engine/review/keptSchema.mts';
import type { Cut } from '../shared/cuts.mts';
import type { Review } from '../store/edit.mts';

/** The file beside a result that says what was cut, and who approved it. */
export const DECISIONS_FILE_NAME = 'decisions.json';

/** Returns its text. */
export function decisionsText(
	editId: string,
	{ approvedBy, approvedAtMs }: Review,
	{ mode, sampleRateHz, samples }: KeptRecording,
	cuts: readonly Cut[],
): string {
	const approvedAt = approvedAtMs === null ? null : new Date(approvedAtMs).toISOString();
	return JSON.stringify({
		edit_id: editId,
		mode,
		sample_rate: sampleRateHz,
		samples,
		approved_by: approvedBy,
		approved_at: approvedAt,
		cuts,
	});
}
