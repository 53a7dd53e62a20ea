import type { Cut } from '../shared/cuts.mts';
import { findEdits } from './findEdits.mts';
import type { LevelledSource } from './level/normalizeLoudness.mts';
import {
	processedTrack,
	readRecordingTrack,
	type RawRecordingTrack,
	type RecordingTrack,
} from './recordingTrack.mts';
import { cutsOf, editsOf, scaleOf } from './review/cutEdits.mts';
import { describeAgain, keepRecording, keptTracks } from './review/keptRecording.mts';
import type { KeptRecording } from './review/keptSchema.mts';
import { endThreads } from './threads/engineThreads.mts';
import type { OnStatus, RecordingRequest } from './types.mts';

/** Returns the tracks before any cuts, with what is to go: as found, or as somebody decided. */
export async function readyTracks(
	request: RecordingRequest,
	onStatus: OnStatus,
	signal?: AbortSignal,
) {
	const { config, decided, reviewFolder } = request;
	if (decided !== undefined) {
		await onStatus('EDITING');
		const { kept, cuts } = decided;
		return { tracks: await keptTracks(request, decided, signal), cuts, edits: editsOf(cuts, kept) };
	}
	const { raw, edits } = await searchedTracks(request, onStatus, signal);
	await onStatus('EDITING');
	const tracks: RecordingTrack[] = [];
	for (const track of raw) tracks.push(await processedTrack(track, config, signal));
	if (reviewFolder === undefined) return { tracks, cuts: [], edits };
	const scale = scaleOf(tracks.map(({ sound }) => sound));
	const cuts = cutsOf(edits, scale);
	// As the cuts say, so that a draft is what its cuts come to.
	return { tracks, cuts, edits: editsOf(cuts, scale) };
}

/** Reads the tracks and finds what is to go: the part of an edit that uses threads. */
async function searchedTracks(request: RecordingRequest, onStatus: OnStatus, signal?: AbortSignal) {
	const { config, sources, heard, limits } = request;
	try {
		await onStatus('PREPROCESSING');
		const raw: RawRecordingTrack[] = [];
		for (const index of sources.keys()) raw.push(await readRecordingTrack(request, index, signal));
		await onStatus('CLASSIFICATION');
		return { raw, edits: await findEdits(config, raw, { heard, limits }, signal) };
	} finally {
		await endThreads();
	}
}

/** Keeps what a review needs, if there will be one. */
export async function keepForReview(
	request: RecordingRequest,
	finished: ReadonlyArray<{ track: RecordingTrack; levelled: LevelledSource }>,
	draft: Pick<KeptRecording, 'loudness'> & { cuts: readonly Cut[] },
	signal?: AbortSignal,
): Promise<KeptRecording | undefined> {
	const { reviewFolder, decided } = request;
	if (reviewFolder === undefined) return undefined;
	const scale = decided?.kept ?? scaleOf(finished.map(({ track }) => track.sound));
	const { sampleRateHz, samples } = scale;
	const facts = { ...draft, cuts: [...draft.cuts], sampleRateHz, samples };
	if (decided) return await describeAgain(reviewFolder, decided.kept, facts);
	return await keepRecording(request, reviewFolder, finished, facts, signal);
}
