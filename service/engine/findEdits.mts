import type { EditConfig, LocalSettings } from '../shared/contract.mts';
import type { PcmFile } from '../media/pcmFile.mts';
import type { Microphone } from './bleed/microphones.mts';
import { ownVoicesIn } from './bleed/ownVoices.mts';
import { newTones } from './denoise/mainsHum.mts';
import { denoisedCopyOf } from './denoisedCopy.mts';
import { besideMusic, busyBackground } from './detection/background.mts';
import { findBreaths, type BreathMode } from './detection/breaths.mts';
import type { FeatureNeeds, SignalFeatures } from './detection/features.mts';
import { combineTracks } from './detection/combineTracks.mts';
import { findFillers } from './detection/fillers.mts';
import { findMouthSounds } from './detection/mouthSounds.mts';
import {
	FAINTEST_SPEECH_DB,
	millisecondsOf,
	ownVoiceOf,
	sceneOf,
	type AnalysisFeatures,
	type Scene,
} from './detection/scene.mts';
import { type FillersAndAnswers, refineByWords, spokenFillers } from './detection/spokenWords.mts';
import { findStutters } from './detection/stutters.mts';
import { findLongSilences } from './detection/longSilences.mts';
import { inRhythm } from './detection/pauseRhythm.mts';
import { type WordSound, wordSoundOf } from './detection/wordSound.mts';
import { featuresOf, USUAL_FEATURES } from './recordingFeatures.mts';
import { cutsBesideMusic } from './music/cutsBesideMusic.mts';
import { settleBorders } from './settleBorders.mts';
import { HOPS_PER_SECOND } from './signal/levels.mts';
import { besides, endThreads } from './threads/engineThreads.mts';
import { rangesOf } from './timeline.mts';
import type { SearchedTrack } from './track.mts';
import { fillersAndAnswers, withoutAnswers } from './voice/answers.mts';
import { silentPauses } from './voice/silentPauses.mts';
import {
	isCleanEnough,
	listensToPauses,
	looksForEdits,
	looksForSpoken,
	needsOf,
} from './whatToFind.mts';
import { DEFAULT_EDIT_LIMITS, type EditLimits } from '../shared/editLimits.mts';
import type { EditKind, RecognizedSpeech, TimelineEdit, TimeRange } from '../shared/timeRanges.mts';
import type { RecordingRequest } from './types.mts';

/** Which breaths go (api.md#breath). */
const BREATH_MODES: Readonly<Partial<Record<string, BreathMode>>> = {
	true: 'all',
	legacy: 'certain',
	natural: 'loud',
};

/**
 * Finds what the configuration asks to be taken out, on one time line for all tracks.
 *
 * @param tracks of one recording; all begin at the same time.
 * @param knowledge what a recognizer found in a single track, what of it may change the cuts, the operator's limits,
 * and what is heard in several tracks, if somebody has listened to them before.
 * @returns in order of time; edits of different kinds may overlap.
 * @throws MediaToolError when ffmpeg fails, the signal's reason when aborted.
 */
export async function findEdits(
	config: Required<EditConfig>,
	tracks: readonly SearchedTrack[],
	{
		recognized,
		local,
		limits = DEFAULT_EDIT_LIMITS,
		microphones,
	}: Pick<RecordingRequest, 'recognized' | 'local' | 'limits'> & {
		microphones?: readonly Microphone[] | undefined;
	} = {},
	signal?: AbortSignal,
): Promise<TimelineEdit[]> {
	if (!looksForEdits(config)) return [];
	const edits: TimelineEdit[][] = [];
	const isClean = isCleanEnough(config, local);
	const heard = wordsThatCount(recognized, local);
	// Several tracks have one speaker each.
	const isShared = tracks.length === 1;
	const isListened = isShared && listensToPauses(config, local);
	/** For every 10 ms of each track, 1 where it holds speech. */
	const isSpeech: Uint8Array[] = [];
	/** Words are known of single tracks only. */
	const sounds: WordSound[] = [];
	let written: FillersAndAnswers = { fillers: [], answers: [] };
	/** Only for breaths it matters whose voice is heard in a track. */
	const hasOwnBreaths = !isShared && config.breath !== false;
	const raw: SignalFeatures[] = [];
	for (const [index, track] of tracks.entries()) {
		const known = microphones?.[index].features;
		const { features, music, humHz } = isListened
			? await asItCame(track, signal)
			: await featuresIn(track, { isClean, needs: needsOf(config), known }, signal);
		const scene = sceneOf(features);
		if (heard && local?.filler_words) {
			written = await fillersHeard(heard, scene, track, signal);
		}
		const all = editsIn(scene, config, limits, written.fillers);
		const own = isShared ? await withoutAnswers(all, scene, track.analysis, signal) : all;
		const found = isListened ? await silentPauses(own, track.analysis, signal) : own;
		const recording = { input: track.analysis, humHz: await humHz };
		edits.push(await cutsBesideMusic(found, recording, music, limits, signal));
		isSpeech.push(ownVoiceOf(scene));
		if (hasOwnBreaths) raw.push(features.raw);
		if (heard) sounds.push(wordSoundOf(scene));
	}
	await endThreads();
	const voices = microphones ?? (hasOwnBreaths ? ownVoicesIn(raw) : undefined);
	const isOwn = voices?.map((heard) => heard.isOwn);
	const found = combineTracks(edits, isSpeech, limits, isOwn);
	const refined = heard ? refineByWords(found, heard, sounds[0], written) : found;
	const asked = refined.filter((edit) => isWanted(edit.kind, config) && !isTooLong(edit, limits));
	const seconds = Math.max(...tracks.map(({ clean }) => clean.frames / clean.sampleRateHz));
	const wanted = inRhythm(asked, seconds, limits);
	if (areWhole(wanted, tracks)) return [];
	return tracks.length === 1 ? await settleBorders(tracks[0].clean, wanted, signal) : wanted;
}

/** The fillers that a recognizer wrote. Who says them cannot be heard where their times are only rough. */
async function fillersHeard(
	heard: RecognizedSpeech,
	scene: Scene,
	{ analysis }: SearchedTrack,
	signal?: AbortSignal,
): Promise<FillersAndAnswers> {
	const spoken = spokenFillers(heard);
	const arePlaced = heard.areTimesExact || heard.arePlaced === true;
	if (!arePlaced) return { fillers: spoken.within, answers: [] };
	return await fillersAndAnswers(spoken, scene, analysis, signal);
}

/** What of the recognized words may change the cuts. A check alone adds no cut, however exact its times are. */
function wordsThatCount(
	recognized: RecognizedSpeech | undefined,
	{ filler_words: fillerWords = false, word_check: wordCheck = false }: LocalSettings = {},
): RecognizedSpeech | undefined {
	if (recognized === undefined || !(fillerWords || wordCheck)) return undefined;
	return fillerWords ? recognized : { ...recognized, areTimesExact: false };
}

/**
 * Whether edits leave nothing of a recording. A single short sound may be a word, and no player
 * opens a file without sound.
 */
function areWhole(edits: readonly TimelineEdit[], tracks: readonly SearchedTrack[]): boolean {
	return tracks.every(({ clean: { sampleRateHz, frames } }) => {
		const first = rangesOf(edits, sampleRateHz, frames).at(0);
		return first?.start === 0 && first.end >= frames;
	});
}

/** Of the recording as it came, its features if they are known, or which are needed. */
interface FeatureRequest {
	isClean: boolean;
	needs: FeatureNeeds;
	known: SignalFeatures | undefined;
}

/** Returns the features of a track, with its noise and without, and what was found that must stay. */
async function featuresIn(
	track: SearchedTrack,
	{ isClean, needs, known }: FeatureRequest,
	signal?: AbortSignal,
) {
	const [raw, { denoised, ...found }] = await Promise.all([
		known ?? featuresOf(track.analysis, needs, signal),
		denoisedCopyOf(track, isClean, signal).then(async ({ copy, ...more }) => {
			return { denoised: await featuresOf(copy, USUAL_FEATURES, signal), ...more };
		}),
	]);
	const features: AnalysisFeatures = { raw, denoised };
	return { features, ...found };
}

/** The same with its noise for a track that is listened to instead. */
async function asItCame({ analysis }: SearchedTrack, signal?: AbortSignal) {
	const raw = await featuresOf(analysis, USUAL_FEATURES, signal);
	const humHz = humBesides(analysis, signal);
	// Nobody waits for it where the search fails before.
	humHz.catch(() => undefined);
	const features: AnalysisFeatures = { raw, denoised: raw };
	return { features, music: [], humHz };
}

/** Looks for hum while other work is done; returns its frequencies, Hz. */
async function humBesides(input: PcmFile, signal?: AbortSignal): Promise<number[]> {
	const tones = newTones();
	await besides({ kind: 'hum', input, tones }, signal);
	return [...tones].filter((hz) => hz > 0);
}

/** All kinds that are asked for, found in one scene; fillers may bring hesitations and stutters along. */
function editsIn(
	scene: Scene,
	config: Required<EditConfig>,
	limits: EditLimits,
	recognizedFillers: readonly TimeRange[],
): TimelineEdit[] {
	const { breath } = config;
	if (scene.rawSpeechDb < FAINTEST_SPEECH_DB) return [];
	const breathMode = BREATH_MODES[String(breath)];
	const soundsOfSpeaker = [
		...(looksForSpoken(config) ? spokenEditsIn(scene, recognizedFillers) : []),
		...(config.mouth_sounds ? findMouthSounds(scene) : []),
		...(breathMode ? findBreaths(scene, breathMode) : []),
	];
	const isBusy = busyBackground(scene);
	const certain = soundsOfSpeaker.filter(
		({ startSeconds }) => !isBusy[Math.floor(startSeconds * HOPS_PER_SECOND)],
	);
	const silences = config.long_silences ? findLongSilences(scene, isBusy, limits) : [];
	return [...silences, ...certain.filter((edit) => !isTooLong(edit, limits))];
}

function isTooLong(edit: TimelineEdit, limits: EditLimits): boolean {
	const milliseconds = millisecondsOf(edit);
	if (edit.kind === 'breath') return milliseconds > limits.maxBreathSeconds * 1000;
	const isFiller = edit.kind === 'filler' || edit.kind === 'hesitation';
	return isFiller && milliseconds > limits.maxFillerSeconds * 1000;
}

/**
 * A beginning that is said again is a stutter, however much it sounds like a hesitation. The notes of a
 * jingle sound like both.
 */
function spokenEditsIn(scene: Scene, recognizedFillers: readonly TimeRange[]): TimelineEdit[] {
	const stutters = findStutters(scene);
	const fillers = findFillers(scene, recognizedFillers).filter((filler) => {
		const middle = (filler.startSeconds + filler.endSeconds) / 2;
		return !stutters.some((it) => it.startSeconds <= middle && middle < it.endSeconds);
	});
	const isBesideMusic = besideMusic(scene);
	return [...fillers, ...stutters].filter((edit) => !isBesideMusic(edit));
}

/** Fillers and hesitations are found together, and a transcript may add what was not asked for. */
function isWanted(kind: EditKind, config: Required<EditConfig>): boolean {
	if (kind === 'filler') return config.fillers;
	if (kind === 'hesitation') return config.hesitations;
	return kind !== 'stutter' || config.stutters;
}
