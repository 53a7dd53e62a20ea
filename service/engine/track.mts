import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { EditConfig, LocalSettings } from '../shared/contract.mts';
import { ANALYSIS_FORMAT, decode, decodeSpeech, type DecodedSource } from '../media/decode.mts';
import { maxLengthSeconds, tooLong } from '../media/lengthLimit.mts';
import { openPcm, pcmSourceOf, writePcm, type PcmFile } from '../media/pcmFile.mts';
import type { MediaInfo } from '../media/probe.mts';
import { probeSound, type ChosenSound } from './soundTracks.mts';
import { surveyOf, type DenoisingStrength, type NoiseSurvey } from './denoise/noiseSurvey.mts';
import { type Denoised, removeNoise } from './denoise/reduceNoise.mts';
import { reduceNoiseLegacy } from './denoise/reduceNoiseLegacy.mts';
import { RATE_HZ } from './networks/deepFilterNet/frames.mts';
import { hasSubsonics, withoutSubsonics } from './subsonics.mts';
import { factorOf } from './signal/levels.mts';
import { voiceWorkOf } from './voice/enhanceVoice.mts';
import { startThreads } from './threads/engineThreads.mts';
import { lowerPriorityIfLong } from './threads/cpuPriority.mts';
import { usesDeepFilter } from './whatToFind.mts';
import type { TimeRange } from '../shared/timeRanges.mts';

/** A shorter recording is not divided among threads. */
const MIN_FOR_THREADS_SECONDS = 60;

/** One file of a recording, to be read. */
export interface TrackRequest {
	/** On disk. */
	sourcePath: string;
	/** Its sound, if it is known. */
	sound?: ChosenSound | undefined;
	config: Required<EditConfig>;
	/** What only this service has of the edit. */
	local?: LocalSettings | undefined;
	/** Maximum length for two channels at 48 kHz, in seconds; longer recordings are refused. */
	maxSourceSeconds: number;
	/** An empty folder for this track. */
	workFolder: string;
}

/** One file of a recording, decoded and denoised. */
export interface Track extends DecodedSource {
	info: MediaInfo;
	/** Which of several sound tracks this is. */
	trackNotes: readonly string[];
	/** A small copy of the original recording: 16 kHz, 16 bits, all channels. */
	analysis: PcmFile;
	/** Same length as `pcm` and in sync with it; the same file without noise reduction. */
	clean: PcmFile;
	/** Music in the parts that were denoised, in order of time; it was left as loud as it was. */
	music: readonly TimeRange[];
	/** Frequencies of mains hum that nobody hears any more in `clean`, Hz. */
	humHz: readonly number[];
	/** By how much the current engine lowered noise in `clean` where it was lowered most, dB. */
	noiseLoweredDb: number;
	workFolder: string;
}

/** The parts of a track that the detectors use. */
export type SearchedTrack = Pick<
	Track,
	'pcm' | 'analysis' | 'clean' | 'music' | 'humHz' | 'workFolder'
>;

/**
 * Decodes a source and reduces its noise.
 *
 * @throws UnusableInput for a source that cannot be edited, MediaToolError when ffmpeg fails, the
 * signal's reason when aborted.
 */
export async function readTrack(request: TrackRequest, signal?: AbortSignal): Promise<Track> {
	const { sourcePath, workFolder, config } = request;
	const { info, trackNotes, limitSeconds } = await probeWithin(request, signal);
	const rateHz = usesDeepFilter(config) ? RATE_HZ : info.sampleRateHz;
	const analysisPath = join(workFolder, 'analysis-raw.s16');
	const source = { ...info, limitSeconds, path: sourcePath, analysisPath };
	const path = join(workFolder, 'decoded.f32');
	if ((info.durationSeconds ?? Infinity) > MIN_FOR_THREADS_SECONDS) startThreads();
	const decoding = decode(source, path, rateHz, signal);
	const { channels } = info;
	const growing = { path, channels, sampleRateHz: rateHz };
	const [decoded, survey] = await Promise.all([
		decoding,
		usesDeepFilter(config) ? surveyOf(growing, strengthFor(config), signal, decoding) : undefined,
	]);
	// Many files do not say how long they are, or not the truth.
	lowerPriorityIfLong(decoded.pcm.frames / rateHz);
	const analysis = await openPcm(analysisPath, { ...ANALYSIS_FORMAT, channels });
	const pcm = await audible(decoded.pcm, analysis, request, signal);
	const denoised = await withoutNoise(pcm, survey, request, signal);
	return { ...decoded, ...denoised, pcm, info, trackNotes, analysis, workFolder };
}

/**
 * Takes out what nobody hears where the edit changes the samples anyway: a gain would raise it. Other edits
 * leave the sound as it is, bit for bit. An edit may also ask for more to be taken out.
 */
async function audible(
	pcm: PcmFile,
	analysis: PcmFile,
	{ config, local, workFolder }: TrackRequest,
	signal?: AbortSignal,
): Promise<PcmFile> {
	const highPassHz = local?.high_pass_hz ?? 0;
	const isNeeded = async () => changesSamples(config) && (await hasSubsonics(analysis, signal));
	if (highPassHz === 0 && !(await isNeeded())) return pcm;
	const path = join(workFolder, 'audible.f32');
	const written = await writePcm(withoutSubsonics(pcmSourceOf(pcm), highPassHz), path, signal);
	await rm(pcm.path);
	return written;
}

/** Whether an edit changes all of the sound that it keeps; `keep_music` leaves music as it came. */
export function changesSamples(config: Required<EditConfig>): boolean {
	const { remove_noise, normalize, target_lufs, keep_music } = config;
	if (normalize && target_lufs !== null) return true;
	return !keep_music && (remove_noise !== false || voiceWorkOf(config) !== null);
}

/** A source to recognize speech in. */
export interface SpeechRequest {
	/** On disk. */
	sourcePath: string;
	/** Its sound, if it is known. */
	sound?: ChosenSound | undefined;
	/** Maximum length for two channels at 48 kHz, in seconds; longer recordings are refused. */
	maxSourceSeconds: number;
	/** Where to write the speech. */
	outputPath: string;
}

/** The speech of a source, as it was read. */
export interface ReadSpeech {
	seconds: number;
	/** Where it was heard. */
	sound: ChosenSound;
}

/**
 * Writes the speech of a source to disk for a recognizer.
 *
 * @throws UnusableInput for a source that cannot be edited, the signal's reason when aborted.
 */
export async function readSpeech(
	request: SpeechRequest,
	signal?: AbortSignal,
): Promise<ReadSpeech> {
	const { sourcePath, outputPath } = request;
	const { info, trackNotes, limitSeconds } = await probeWithin(request, signal);
	const source = { ...info, limitSeconds, path: sourcePath };
	const seconds = await decodeSpeech(source, outputPath, signal);
	return { seconds, sound: { track: info.soundTrack, notes: trackNotes } };
}

/** Probes a source. @throws UnusableInput also if its header says it is too long. */
async function probeWithin(
	{ maxSourceSeconds, sourcePath, sound }: Omit<SpeechRequest, 'outputPath'>,
	signal?: AbortSignal,
) {
	const { info, notes: trackNotes } = await probeSound(sourcePath, signal, sound);
	const limitSeconds = maxLengthSeconds(maxSourceSeconds, info);
	if ((info.durationSeconds ?? 0) > limitSeconds) throw tooLong(limitSeconds, info);
	lowerPriorityIfLong(info.durationSeconds ?? 0);
	return { info, trackNotes, limitSeconds };
}

async function withoutNoise(
	input: PcmFile,
	survey: NoiseSurvey | undefined,
	{ config, local, workFolder }: TrackRequest,
	signal?: AbortSignal,
): Promise<Denoised> {
	const outputPath = join(workFolder, 'denoised.f32');
	if (survey) return await removeNoise(input, outputPath, asWished(survey, local), signal);
	const isSame = config.remove_noise === false;
	const clean = isSame ? input : await reduceNoiseLegacy(input, outputPath, signal);
	return { clean, music: [], humHz: [], noiseLoweredDb: 0 };
}

/** How much of the noise goes, as one edit says. */
function asWished(survey: NoiseSurvey, local: LocalSettings = {}): NoiseSurvey {
	const { noise_reduction_db: reductionDb, hum_removal: takesHum = true } = local;
	return {
		...survey,
		...(reductionDb !== undefined && { left: factorOf(-reductionDb) }),
		...(!takesHum && { humHz: [] }),
	};
}

/** The compressor of studio_sound raises even little noise. */
function strengthFor({ studio_sound }: Required<EditConfig>): DenoisingStrength {
	return studio_sound === false ? 'measured' : 'full';
}
