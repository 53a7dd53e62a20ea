import { bleedGains } from './bleed/bleedGains.mts';
import { lowered } from './bleed/lowerBleed.mts';
import { hearMicrophones, type Microphone } from './bleed/microphones.mts';
import { findEdits } from './findEdits.mts';
import {
	processedTrack,
	readRecordingTrack,
	type RawRecordingTrack,
	type RecordingTrack,
} from './recordingTrack.mts';
import { cutsOf, editsOf, scaleOf } from './review/cutEdits.mts';
import { keptTracks } from './review/keptRecording.mts';
import { doubtsOf } from './review/doubt/doubts.mts';
import { endThreads } from './threads/engineThreads.mts';
import { changesSamples } from './track.mts';
import { lowerPriorityIfLong } from './threads/cpuPriority.mts';
import type { OnStatus, RecordingRequest } from './types.mts';
import { needsOf } from './whatToFind.mts';
import type { TimelineEdit } from '../shared/timeRanges.mts';

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
		const { sampleRateHz, samples, doubts } = kept;
		lowerPriorityIfLong(samples / sampleRateHz);
		const tracks = await keptTracks(request, decided, signal);
		return { tracks, draft: { cuts, doubts, sampleRateHz, samples }, edits: editsOf(cuts, kept) };
	}
	const { raw, edits, microphones } = await searchedTracks(request, onStatus, signal);
	await onStatus('EDITING');
	const tracks: RecordingTrack[] = [];
	for (const track of raw) tracks.push(await processedTrack(track, request, signal));
	if (microphones) lowerBleedIn(tracks, microphones, bleedReductionDb(request));
	const scale = scaleOf(tracks.map(({ sound }) => sound));
	const isMade = (edit: TimelineEdit) => !request.putBack?.some((other) => isSameEdit(edit, other));
	if (reviewFolder === undefined) {
		const made = edits.filter(isMade);
		return { tracks, draft: { ...scale, cuts: cutsOf(made, scale) }, edits: made };
	}
	// A draft is cut as its cuts say, on whole samples. Whoever reviews it sees what was put back, and decides.
	const cuts = cutsOf(edits, scale).map((cut) => {
		return { ...cut, keep: !editsOf([cut], scale).every(isMade) };
	});
	const recordings = raw.map(({ analysis }) => analysis);
	const doubts = await doubtsOf(cuts, scale, recordings, signal);
	return { tracks, draft: { ...scale, cuts, doubts }, edits: editsOf(cuts, scale) };
}

function isSameEdit(one: TimelineEdit, other: TimelineEdit): boolean {
	return (
		one.kind === other.kind &&
		one.startSeconds === other.startSeconds &&
		one.endSeconds === other.endSeconds
	);
}

/** By how much others are lowered in each of several microphones, where an edit changes the sound anyway, dB. */
function bleedReductionDb({ config, local, sources }: RecordingRequest): number {
	const isWished = local?.bleed_reduction_db !== undefined || changesSamples(config);
	if (sources.length < 2 || !isWished) return 0;
	return local?.bleed_reduction_db ?? USUAL_BLEED_REDUCTION_DB;
}

function lowerBleedIn(
	tracks: readonly RecordingTrack[],
	microphones: readonly Microphone[],
	reductionDb: number,
): void {
	const gains = bleedGains(microphones, reductionDb);
	for (const [index, track] of tracks.entries()) track.sound = lowered(track.sound, gains[index]);
}

/** Reads the tracks and finds what is to go: the part of an edit that uses threads. */
async function searchedTracks(request: RecordingRequest, onStatus: OnStatus, signal?: AbortSignal) {
	const { config, sources, recognized, local, limits } = request;
	try {
		await onStatus('PREPROCESSING');
		const raw: RawRecordingTrack[] = [];
		for (const index of sources.keys()) raw.push(await readRecordingTrack(request, index, signal));
		await onStatus('CLASSIFICATION');
		const isBleedLowered = bleedReductionDb(request) > 0;
		const recordings = raw.map(({ analysis }) => analysis);
		const microphones = isBleedLowered
			? await hearMicrophones(recordings, needsOf(config), signal)
			: undefined;
		const knowledge = { recognized, local, limits, microphones };
		return { raw, microphones, edits: await findEdits(config, raw, knowledge, signal) };
	} finally {
		await endThreads();
	}
}
