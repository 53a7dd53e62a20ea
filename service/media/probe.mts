import { stat } from 'node:fs/promises';

import { MediaToolError, OverTimeLimit } from './ffmpeg/program.mts';
import {
	FORMAT_TAGS,
	isPictureStream,
	readReport,
	type MediaReport,
	type MediaStream,
} from './ffmpeg/report.mts';
import { type VbrLevel, vbrLevelOf } from './mp3Quality.mts';
import { MAX_HOLE_SECONDS } from './soundTimeline.mts';
import { isShortage, tooLargePicture, UnusableInput } from '../shared/failures.mts';

/** Properties of a media file and of its sound track that is used. */
export interface MediaInfo {
	/** Length in seconds according to the container, with its lead; null if it does not say. */
	durationSeconds: number | null;
	/** Seconds before the first sample of a file without a picture: somebody was muted, or came later. */
	leadSeconds: number;
	sampleRateHz: number;
	channels: number;
	/** ffmpeg's name for the audio codec, such as `mp3` or `pcm_s16le`. */
	codec: string;
	/** ffmpeg's name for the container, such as `mp3` or `mov,mp4,m4a,3gp,3g2,mj2`. */
	container: string;
	/** True if there is a video stream; cover art does not count. */
	hasVideo: boolean;
	/** Bit depth of lossless audio; null for lossy codecs. */
	bitsPerSample: number | null;
	/** Bits per second of the audio stream; null when unknown. */
	bitRate: number | null;
	/** Of an MP3 file with a variable bit rate. */
	vbrLevel?: VbrLevel;
	/** Which of the file's sound tracks this is, from 0, and how many there are. */
	soundTrack: number;
	soundTracks: number;
}

/** No encoder used here accepts more. */
const MAX_CHANNELS = 8;

/** Telephones use 8,000 Hz, the fastest converters 768,000. */
const MIN_RATE_HZ = 4_000;
const MAX_RATE_HZ = 768_000;

/** ffmpeg opens a decoder for each track of sound or picture, covers included. */
const MAX_TRACKS = 16;

/**
 * Returns the properties of a media file.
 *
 * @param soundTrack which sound track is meant; default: the first that ffmpeg has a decoder for.
 * @throws UnusableInput, with a sentence for the client, if the file is empty, is not a media file,
 * or has no audio.
 */
export async function probe(
	path: string,
	signal?: AbortSignal,
	soundTrack?: number,
): Promise<MediaInfo> {
	const { size } = await stat(path);
	if (size === 0) throw new UnusableInput('The file is empty (0 bytes).');
	const { streams, format } = await readableReport(path, signal);
	const tracks = streams.filter(({ codec_type }) => /^(audio|video)$/.test(codec_type)).length;
	if (tracks > MAX_TRACKS) {
		throw new UnusableInput(
			`The file has ${tracks} tracks of sound and picture; at most ${MAX_TRACKS} are supported.`,
		);
	}
	const sounds = streams.filter((stream) => stream.codec_type === 'audio');
	const chosen = soundTrack ?? Math.max(0, sounds.findIndex(hasDecoder));
	const audio = sounds.at(chosen);
	if (!audio) throw new UnusableInput('The file has no audio track.');
	const { sample_rate: sampleRateHz, channels } = audio;
	if (sampleRateHz === null || channels === null) {
		throw new UnusableInput(
			'The audio track of the file cannot be decoded: no channels or no rate.',
		);
	}
	if (sampleRateHz < MIN_RATE_HZ || sampleRateHz > MAX_RATE_HZ) {
		throw new UnusableInput(
			`The audio has a sample rate of ${sampleRateHz} Hz; ${MIN_RATE_HZ} to ${MAX_RATE_HZ} Hz are supported.`,
		);
	}
	if (channels > MAX_CHANNELS) {
		throw new UnusableInput(`The audio has ${channels} channels; at most 8 are supported.`);
	}
	const hasVideo = streams.some(isPictureStream);
	const counted = await countedFrom(audio, format.format_name, path, signal);
	const leadSeconds = hasVideo ? 0 : leadOf(audio, format.format_name, counted.file);
	const vbrLevel = format.format_name === 'mp3' ? await vbrLevelOf(path) : undefined;
	return {
		durationSeconds: lengthOf(audio, format, leadSeconds, counted.track),
		leadSeconds,
		sampleRateHz,
		channels,
		codec: audio.codec_name,
		container: format.format_name,
		hasVideo,
		bitsPerSample: bitsOf(audio),
		// Ogg and Matroska say only that of the whole file.
		bitRate: audio.bit_rate ?? (streams.length === 1 ? format.bit_rate : null),
		...(vbrLevel !== undefined && { vbrLevel }),
		soundTrack: chosen,
		soundTracks: sounds.length,
	};
}

/** Containers whose times begin at 0. In the others, those of a recorded broadcast begin anywhere. */
const TIMED_FROM_ZERO = /^(matroska,|mov,)/;

/** Encoders put some hundredths of a second before the sound. */
const MIN_LEAD_SECONDS = 0.1;

/**
 * Returns the times, in seconds, from which a file and its track count. Those of an MP4 in parts that was cut from a
 * longer one begin at any time. What an edit list puts before them is a lead.
 */
async function countedFrom(
	{ index, start_time }: MediaStream,
	container: string,
	path: string,
	signal?: AbortSignal,
): Promise<{ file: number; track: number }> {
	const mayBe = container.startsWith('mov,') && (start_time ?? 0) >= MIN_LEAD_SECONDS;
	if (!mayBe) return { file: 0, track: 0 };
	const { streams } = await readableReport(path, signal, ['-ignore_editlist', '1']);
	const starts = streams.map((stream) => stream.start_time ?? 0);
	const track = streams.find((stream) => stream.index === index)?.start_time ?? 0;
	return { file: Math.min(...starts), track };
}

function leadOf({ start_time }: MediaStream, container: string, countedFrom: number): number {
	const lead = TIMED_FROM_ZERO.test(container) ? (start_time ?? 0) - countedFrom : 0;
	return lead >= MIN_LEAD_SECONDS && lead <= MAX_HOLE_SECONDS ? lead : 0;
}

function lengthOf(
	audio: MediaStream,
	format: MediaReport['format'],
	leadSeconds: number,
	countedFrom: number,
) {
	// MP4 says how long the sound is without its lead, Matroska only when it ends.
	if (audio.duration !== null && (leadSeconds > 0 || countedFrom > 0)) {
		return leadSeconds + audio.duration - countedFrom;
	}
	const seconds = audio.duration ?? format.duration;
	const isEnd = format.format_name === 'ogg' && seconds !== null;
	return isEnd ? seconds - (audio.start_time ?? 0) : seconds;
}

/** Without a decoder, as for the spatial sound of an iPhone, nobody knows what the samples will be. */
function hasDecoder({ sample_fmt, sample_rate, channels }: MediaStream): boolean {
	return !/^(|unknown)$/.test(sample_fmt) && sample_rate !== null && channels !== null;
}

async function readableReport(
	path: string,
	signal?: AbortSignal,
	inputOptions: readonly string[] = [],
) {
	try {
		return await readReport(path, signal, FORMAT_TAGS, inputOptions);
	} catch (error) {
		if (!(error instanceof MediaToolError) || isShortage(error)) throw error;
		if (tooLargePicture(error) !== undefined) throw error;
		if (error instanceof OverTimeLimit) {
			throw new UnusableInput(`Reading the file was stopped: ${error.message}.`);
		}
		throw new UnusableInput('The file is not an audio or video file that can be read.');
	}
}

/** ffprobe reports the bit depth of FLAC in one field, that of WAV only in the sample format. */
function bitsOf(audio: MediaStream): number | null {
	const isLossless = /^(pcm_|flac$|alac$)/.test(audio.codec_name);
	if (!isLossless) return null;
	if (audio.bits_per_raw_sample !== null) return audio.bits_per_raw_sample;
	return /^(s32|flt|dbl)/.test(audio.sample_fmt) ? 24 : 16;
}
