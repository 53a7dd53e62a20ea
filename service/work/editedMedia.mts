import type { RecordingResult } from '../engine/types.mts';
import type { WordCheck } from '../store/edit.mts';

/** What editing came to. */
export interface EditedMedia extends RecordingResult {
	wordCheck: WordCheck | null;
}
