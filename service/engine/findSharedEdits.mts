import { analysisAudioOf } from './analysisAudio.mts';
import { silencesOfAllTracks, type TrackSilences } from './combineSilences.mts';
import { findEdits, looksForEdits } from './findEdits.mts';
import { levelsOf, speechLevelDb } from './levels.mts';
import type { RawRecordingTrack } from './recordingTrack.mts';
import type { RecordingJob, TimelineEdit } from './types.mts';

/** On a track whose denoised sound is no louder than this nobody speaks, dBFS. */
const FAINTEST_VOICE_DB = -60;

/** Finds what may be taken out of all tracks of a recording at the same times. */
export async function findSharedEdits(
	{ config }: RecordingJob,
	tracks: readonly RawRecordingTrack[],
	signal?: AbortSignal,
): Promise<TimelineEdit[]> {
	if (!looksForEdits(config)) return [];
	const found: TrackSilences[] = [];
	for (const track of tracks) {
		const audio = await analysisAudioOf(track, config, signal);
		const edits = await findEdits(config, audio, signal);
		if (tracks.length === 1) return edits;
		const { frames, sampleRateHz } = track.clean;
		found.push({
			edits,
			isStill: speechLevelDb(await levelsOf(audio.denoised, signal)) < FAINTEST_VOICE_DB,
			durationSeconds: frames / sampleRateHz,
		});
	}
	return silencesOfAllTracks(found);
}
