import { withLowerBleed } from './bleed/lowerBleed.mts';
import { findEdits } from './findEdits.mts';
import {
	processedTrack,
	readRecordingTrack,
	type RawRecordingTrack,
	type RecordingTrack,
} from './recordingTrack.mts';
import { cutsOf, editsOf, scaleOf } from './review/cutEdits.mts';
import { keptTracks } from './review/keptRecording.mts';
import { endThreads } from './threads/engineThreads.mts';
import { changesSamples } from './track.mts';
import { lowerPriorityIfLong } from './threads/cpuPriority.mts';
import type { OnStatus, RecordingRequest } from './types.mts';

/** By how much others are lowered in a microphone while only they are heard, unless the edit says otherwise, dB. */
const USUAL_BLEED_REDUCTION_DB = 10;

/** Returns the tracks before any cuts, with what is to go: as found, or as somebody decided. */
export async function readyTracks(
	request: RecordingRequest,
	onStatus: OnStatus,
	signal?: AbortSignal,
) {
	const { decided, reviewFolder } = request;
	if (decided !== undefined) {
		await onStatus('EDITING');
		const { cuts, kept } = decided;
		const { sampleRateHz, samples } = kept;
		lowerPriorityIfLong(samples / sampleRateHz);
		const tracks = await keptTracks(request, decided, signal);
		return { tracks, draft: { cuts, sampleRateHz, samples }, edits: editsOf(cuts, kept) };
	}
	const { raw, edits } = await searchedTracks(request, onStatus, signal);
	await onStatus('EDITING');
	const tracks: RecordingTrack[] = [];
	for (const track of raw) tracks.push(await processedTrack(track, request, signal));
	await lowerBleedIn(tracks, raw, request, signal);
	const scale = scaleOf(tracks.map(({ sound }) => sound));
	const draft = { ...scale, cuts: cutsOf(edits, scale) };
	// A draft is cut as its cuts say, on whole samples.
	return { tracks, draft, edits: reviewFolder === undefined ? edits : editsOf(draft.cuts, scale) };
}

/** Lowers in each of several microphones those who come over from the others, where an edit changes the sound anyway. */
async function lowerBleedIn(
	tracks: readonly RecordingTrack[],
	raw: readonly RawRecordingTrack[],
	{ config, local }: RecordingRequest,
	signal?: AbortSignal,
): Promise<void> {
	const isWished = local?.bleed_reduction_db !== undefined || changesSamples(config);
	const reductionDb = local?.bleed_reduction_db ?? USUAL_BLEED_REDUCTION_DB;
	if (tracks.length < 2 || !isWished || reductionDb === 0) return;
	const microphones = tracks.map(({ sound }, index) => ({ sound, analysis: raw[index].analysis }));
	const sounds = await withLowerBleed(microphones, reductionDb, signal);
	for (const [index, track] of tracks.entries()) track.sound = sounds[index];
}

/** Reads the tracks and finds what is to go: the part of an edit that uses threads. */
async function searchedTracks(request: RecordingRequest, onStatus: OnStatus, signal?: AbortSignal) {
	const { config, sources, recognized, local, limits } = request;
	try {
		await onStatus('PREPROCESSING');
		const raw: RawRecordingTrack[] = [];
		for (const index of sources.keys()) raw.push(await readRecordingTrack(request, index, signal));
		await onStatus('CLASSIFICATION');
		return { raw, edits: await findEdits(config, raw, { recognized, local, limits }, signal) };
	} finally {
		await endThreads();
	}
}
