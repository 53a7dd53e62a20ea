import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { EditConfig } from '../shared/contract.mts';
import { bothOrNone } from '../media/allOrNone.mts';
import { readMetadata, type Metadata } from '../media/tags/metadata.mts';
import { isLossy, outputFormatFor } from '../media/outputFormat.mts';
import { maxLengthSeconds, tooLong } from '../media/lengthLimit.mts';
import { pcmSourceOf, type PcmFile, type PcmSource } from '../media/pcmFile.mts';
import { newTime } from '../media/pictureTimes.mts';
import { probePicture, type Picture } from '../media/picture.mts';
import type { MediaInfo } from '../media/probe.mts';
import { soundRecipe } from '../media/videoFormat.mts';
import { isAnythingHeard } from './detection/heard.mts';
import { editedAudio } from './editedAudio.mts';
import { fadeSecondsOf } from './timeline.mts';
import { newProfile, type LevelProfile } from './level/levelProfile.mts';
import { featuresOf, USUAL_FEATURES } from './recordingFeatures.mts';
import { besides, endThreads } from './threads/engineThreads.mts';
import { musicUnderSpeech } from './music/musicUnderSpeech.mts';
import { findMusic } from './voice/findMusic.mts';
import { loadEars } from './voice/silentPauses.mts';
import { listensToPauses } from './whatToFind.mts';
import {
	LOSSY_MARGIN_DB,
	MAX_DBTP,
	METER_MARGIN_DB,
	normalizeLoudness,
	type LeveledSource,
	type NormalizeGoal,
} from './level/normalizeLoudness.mts';
import type { TurnSearch } from './level/speakerGains.mts';
import { rangesAtRate } from './sharedTimeline.mts';
import { sourceNotes } from './export/sourceNotes.mts';
import { waveformOf, type Waveform } from './export/waveform.mts';
import { soundOf } from './sound.mts';
import { lowerPriorityIfLong } from './threads/cpuPriority.mts';
import { readTrack, type Track } from './track.mts';
import { type EngineSource, type RecordingRequest } from './types.mts';
import type { TimeRange } from '../shared/timeRanges.mts';
import { safeFileName } from '../shared/fileNames.mts';
import { UnusableInput } from '../shared/failures.mts';

/** What is known of one file of a recording. */
interface RecordingFile {
	source: EngineSource;
	info: MediaInfo;
	/** Frames at the source's own sample rate. */
	sourceFrames: number;
	/** The picture to keep with the sound; null for audio only. */
	picture: Picture | null;
	metadata: Metadata;
	/** What is wrong with the file and its metadata, for the log and the page. */
	notes: string[];
	/** By how much noise was lowered where it was lowered most, dB. */
	noiseLoweredDb: number;
	workFolder: string;
}

/** One file of a recording before its sound is processed. */
export interface RawRecordingTrack extends Track, RecordingFile {
	/** How loud it is as it came, measured while other work is done. */
	profile: Promise<LevelProfile>;
}

/** One file of a recording, ready to cut. */
export interface RecordingTrack extends RecordingFile {
	/** The processed sound before any cuts. */
	sound: PcmSource;
	/** Whether there is more in it than silence and steady noise. */
	isHeard: boolean;
	/** Finds the music, in seconds of the uncut recording. */
	findMusic: () => Promise<TimeRange[]>;
	/** Draws the recording as it came. */
	outline: () => Promise<Waveform>;
}

/** Processes the sound of a file. */
export async function processedTrack(
	track: RawRecordingTrack,
	{ config, local }: RecordingRequest,
	signal?: AbortSignal,
): Promise<RecordingTrack> {
	const { source, info, sourceFrames, picture, metadata, workFolder, analysis, music } = track;
	const { noiseLoweredDb } = track;
	const isHeard = await isTrackHeard(track, signal);
	const nothing = `almost nothing is heard in '${safeFileName(source.name)}'`;
	const notes = isHeard ? track.notes : [...track.notes, nothing];
	return {
		source,
		info,
		sourceFrames,
		picture,
		metadata,
		notes,
		noiseLoweredDb,
		workFolder,
		isHeard,
		sound: await soundOf(track, config, local, signal),
		findMusic: () => endingThreads(() => musicUnderSpeech(analysis, music, signal)),
		outline: () => waveformOf(analysis, signal),
	};
}

/** Listens to a recording as it came. */
async function isTrackHeard(
	{ analysis, profile }: RawRecordingTrack,
	signal?: AbortSignal,
): Promise<boolean> {
	const { energies } = await profile;
	return await isAnythingHeard(energies, {
		features: () => endingThreads(() => featuresOf(analysis, USUAL_FEATURES, signal)),
		findMusic: () => findMusic(analysis, signal),
	});
}

/** Does some work, and ends the threads that it started. */
async function endingThreads<T>(work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} finally {
		await endThreads();
	}
}

/** Reads one file of a recording, in a work folder for this track. */
export async function readRecordingTrack(
	request: RecordingRequest,
	index: number,
	signal?: AbortSignal,
): Promise<RawRecordingTrack> {
	const { config, local, sources } = request;
	const source = sources[index];
	const isOneOfMany = sources.length > 1;
	const workFolder = join(request.workFolder, `track-${index + 1}`);
	await mkdir(workFolder);
	// All tracks share the disk space of one two-channel recording; a track is usually one voice.
	const maxSourceSeconds = request.maxSourceSeconds / Math.max(1, sources.length / 2);
	const { path: sourcePath, sound } = source;
	const trackRequest = { sourcePath, sound, config, local, maxSourceSeconds, workFolder };
	// Nothing else needs this thread until the source is decoded.
	if (!isOneOfMany && listensToPauses(config, local)) loadEars();
	const read = async () => {
		const [track, described] = await bothOrNone(
			(stop) => readTrack(trackRequest, stop),
			(stop) => readMetadata(sourcePath, workFolder, stop),
			signal,
		);
		const limitSeconds = maxLengthSeconds(maxSourceSeconds, track.info);
		const limits = { config, limitSeconds };
		return { track, ...described, picture: await pictureOf(source, track.info, limits, signal) };
	};
	const { track, picture, metadata, notes } = await read().catch((error: unknown) => {
		if (!isOneOfMany || !(error instanceof UnusableInput)) throw error;
		throw new UnusableInput(`${source.name}: ${error.message}`);
	});
	const which = isOneOfMany ? `${safeFileName(source.name)}: ` : '';
	const found = [...(source.notes ?? []), ...(await sourceNotes(source.path, track))];
	const allNotes = [...track.trackNotes, ...found, ...notes];
	const named = allNotes.map((note) => which + note);
	const profile = profileBesides(track.analysis, signal);
	// Nobody waits for it where the edit fails before.
	profile.catch(() => undefined);
	return { ...track, source, picture, metadata, notes: named, profile };
}

/** Measures how loud a recording is while other work is done. */
async function profileBesides(input: PcmFile, signal?: AbortSignal): Promise<LevelProfile> {
	const profile = newProfile(pcmSourceOf(input));
	await besides({ kind: 'profile', input, profile }, signal);
	return profile;
}

/**
 * Reads what is kept of a source besides its sound.
 * @throws UnusableInput for a picture that is longer than the limit.
 */
export async function besidesSound(
	source: EngineSource,
	info: MediaInfo,
	limits: PictureLimits,
	workFolder: string,
	signal?: AbortSignal,
) {
	const picture = await pictureOf(source, info, limits, signal);
	return { picture, ...(await readMetadata(source.path, workFolder, signal)) };
}

/** Whether a picture is kept, and how long it may be. */
interface PictureLimits {
	config: Required<EditConfig>;
	limitSeconds: number;
}

/** Probes the picture of a source if it is kept. Throws as `besidesSound`. */
async function pictureOf(
	{ path, name }: EngineSource,
	info: MediaInfo,
	{ config, limitSeconds }: PictureLimits,
	signal?: AbortSignal,
): Promise<Picture | null> {
	const isKept = config.video && info.hasVideo;
	const picture = isKept ? await probePicture(path, name, limitSeconds, signal) : null;
	const pictureSeconds = picture?.times.endSeconds ?? 0;
	if (pictureSeconds > limitSeconds) throw tooLong(limitSeconds, info, 'picture');
	lowerPriorityIfLong(pictureSeconds);
	return picture;
}

/** Whether somebody decides about the cuts, or has decided: then they are applied exactly. */
export function isReviewed({ reviewFolder, decided }: RecordingRequest): boolean {
	return reviewFolder !== undefined || decided !== undefined;
}

/** Cuts or mutes ranges of a track; they are the same moments on every track. */
export function cutTrack(
	{ sound }: RecordingTrack,
	ranges: readonly TimeRange[],
	request: RecordingRequest,
): PcmSource {
	const own = rangesAtRate(ranges, sound.sampleRateHz, sound.frames);
	const mode = request.config.muted ? 'mute' : 'cut';
	const fadeSeconds = fadeSecondsOf(request.local);
	return editedAudio(sound, own, { mode, isExact: isReviewed(request), fadeSeconds });
}

/**
 * Normalizes sound if requested.
 *
 * @param limits `turns` only where a track may hold several speakers. Without anything to hear, only
 * noise would become louder.
 */
export async function levelSound(
	{ config, local }: RecordingRequest,
	sound: PcmSource,
	{ isHeard, ...limits }: Pick<NormalizeGoal, 'ceilingDbtp' | 'turns'> & { isHeard: boolean },
	signal?: AbortSignal,
): Promise<LeveledSource> {
	if (!config.normalize || config.target_lufs === null) return sound;
	const goal = {
		targetLufs: config.target_lufs,
		gateLufs: config.mute_lufs,
		turnShare: local?.speaker_leveling,
		...limits,
	};
	const leveled = await normalizeLoudness(sound, goal, signal);
	const beforeLufs = leveled.loudness?.beforeLufs ?? -Infinity;
	return isHeard || beforeLufs > goal.targetLufs ? leveled : sound;
}

/**
 * Returns what finds the speakers of a recording's only track; of several tracks each is one speaker.
 *
 * @param removed ranges cut from the track, in order.
 */
export function turnSearch(
	{ sources }: RecordingRequest,
	{ findMusic, workFolder }: RecordingTrack,
	removed: readonly TimeRange[],
): TurnSearch | undefined {
	if (sources.length > 1) return undefined;
	return {
		workFolder,
		findMusic: async () =>
			(await findMusic()).map(({ startSeconds, endSeconds }) => ({
				startSeconds: newTime(startSeconds, removed),
				endSeconds: newTime(endSeconds, removed),
			})),
	};
}

/** Maximum true peak for the output file, dBTP. */
export function ceilingDbtpOf(
	{ config, local }: RecordingRequest,
	picture: Picture | null,
	info: MediaInfo,
): number {
	const maxDbtp = local?.true_peak_dbtp ?? MAX_DBTP;
	const willBeLossy = picture
		? soundRecipe(picture.container, info).isLossy
		: isLossy(outputFormatFor(config.export_format, info));
	return maxDbtp - (willBeLossy ? LOSSY_MARGIN_DB : METER_MARGIN_DB);
}
