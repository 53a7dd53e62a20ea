import { editAudio } from './editAudio.mts';
import { editTracks } from './editTracks.mts';
import type { EngineStatus, RecordingJob, RecordingResult } from './types.mts';

/**
 * Edits a recording: one file of sound, several as tracks (spec "Edit request", rule 1), or video.
 *
 * @param onStatus called, and waited for, when a stage really begins; what it throws ends the job.
 * @param signal ends the job within a second; no child process or thread stays behind.
 * @throws UnusableInput for a source that cannot be edited, MediaToolError when ffmpeg fails, the
 * signal's reason when aborted.
 */
export async function editRecording(
	recording: RecordingJob,
	onStatus: (status: EngineStatus) => void | Promise<void>,
	signal?: AbortSignal,
): Promise<RecordingResult> {
	const { sources, ...rest } = recording;
	if (sources.length > 1 || recording.config.video) {
		return await editTracks(recording, onStatus, signal);
	}
	const [{ path: sourcePath, name: sourceName }] = sources;
	const result = await editAudio({ ...rest, sourcePath, sourceName }, onStatus, signal);
	return { ...result, mergedFileNames: [] };
}
