import type { Passage } from '../tags/mp3/passageCutter';

/** The passage of a preview: a third into the recording, or earlier, so that it is as long as it should be. */
export function previewPassage(recordingSeconds: number, previewSeconds: number): Passage {
	const lastStart = Math.max(0, recordingSeconds - previewSeconds);
	return {
		startSeconds: Math.min(recordingSeconds / 3, lastStart),
		durationSeconds: Math.min(previewSeconds, recordingSeconds),
	};
}
