import { allOrNone } from './allOrNone.mts';
import { NOTHING_CARRIED, type CarriedMetadata } from './tags/carryMetadata.mts';
import { appendId3, prependId3 } from './tags/id3Place.mts';
import { mp3FrameSamples } from './mp3Frames.mts';
import { joinMp3 } from './mp3Join.mts';
import {
	encoderArguments,
	encoderGain,
	outputSampleRateHz,
	type OutputFormat,
} from './outputFormat.mts';
import { partsOf, type EncodePart } from './encodeParts.mts';
import { pcmFormatArguments, type PcmSource } from './pcmFile.mts';
import type { MediaInfo } from './probe.mts';
import { fileArgument } from './ffmpeg/guardedInput.mts';
import { feedFfmpeg } from './ffmpeg/runFfmpeg.mts';

/** What to encode, and how. */
export interface EncodeRequest {
	audio: PcmSource;
	/** The output keeps its sample rate, channels and bit depth where the format allows. */
	info: MediaInfo;
	format: OutputFormat;
	outputPath: string;
	/** Length at the source's sample rate. After resampling, the output ends exactly there. */
	sourceRateFrames: number;
	/** Default: none. */
	carried?: CarriedMetadata;
	/** Maximum number of parts a long MP3 is encoded in; default: one per core. */
	maxParts?: number;
}

/**
 * Packets that ffmpeg reads ahead: eight of our chunks where a packet has 1,024 frames, as in ffmpeg 5.
 * Whenever it finds none, it sleeps for 10 ms: with two chunks, writing a WAV file took twice as long.
 */
const QUEUED_PACKETS = '512';

/**
 * Encodes audio to a file, sample-exact in length before the codec's own padding. A long MP3 is
 * encoded in parts on all cores; the parts' files exist next to `outputPath` until then.
 *
 * @throws MediaToolError when ffmpeg fails, the signal's reason when aborted.
 */
export async function encode(request: EncodeRequest, signal?: AbortSignal): Promise<void> {
	const { audio, info, format, outputPath, carried: { id3 } = NOTHING_CARRIED } = request;
	const rateHz = outputSampleRateHz(format, info.sampleRateHz);
	const frames = Math.round((request.sourceRateFrames * rateHz) / info.sampleRateHz);
	if (format === 'mp3') {
		const lengths = { frames, rateHz, inputRateHz: audio.sampleRateHz };
		const whole = { ...lengths, frameSamples: mp3FrameSamples(rateHz) };
		await encodeMp3InParts(request, rateHz, partsOf(whole, request.maxParts), id3, signal);
	} else await encodePart(request, rateHz, { from: 0, to: frames }, outputPath, signal);
	if (id3.length > 0 && format === 'aac') await prependId3(outputPath, id3, signal);
	if (id3.length > 0 && (format === 'wav' || format === 'aiff')) await appendId3(outputPath, id3);
}

async function encodeMp3InParts(
	request: EncodeRequest,
	rateHz: number,
	parts: readonly EncodePart[],
	id3: Buffer,
	signal?: AbortSignal,
): Promise<void> {
	const paths = parts.map((_, index) => `${request.outputPath}.part${index}`);
	await allOrNone(
		parts.map(
			(part, index) => (stop: AbortSignal) => encodePart(request, rateHz, part, paths[index], stop),
		),
		signal,
	);
	const frameSamples = mp3FrameSamples(rateHz);
	const pieces = parts.map(({ from, start }, index) => ({
		path: paths[index],
		skippedFrames: (start - from) / frameSamples,
		...(index + 1 < parts.length && { frames: (parts[index + 1].start - start) / frameSamples }),
	}));
	await joinMp3(pieces, request.outputPath, id3, signal);
}

/** Encodes one part, including the frames before and after it that are later dropped. */
async function encodePart(
	{ audio, info, format, carried = NOTHING_CARRIED }: EncodeRequest,
	rateHz: number,
	{ from, to }: Pick<EncodePart, 'from' | 'to'>,
	outputPath: string,
	signal?: AbortSignal,
): Promise<void> {
	const frames = to - from;
	const firstFrame = Math.round((from * audio.sampleRateHz) / rateHz);
	const endFrame = Math.min(audio.frames, Math.ceil((to * audio.sampleRateHz) / rateHz));
	await feedFfmpeg(
		[
			'-thread_queue_size',
			QUEUED_PACKETS,
			...pcmFormatArguments(audio),
			'-i',
			'pipe:0',
			...carried.inputs,
			'-map',
			'0:a',
			'-af',
			`volume=${encoderGain(format, info)},aresample=${rateHz},apad=whole_len=${frames},atrim=end_sample=${frames}`,
			'-bitexact',
			...carried.outputs,
			...(format === 'mp3' ? ['-id3v2_version', '0'] : []),
			...encoderArguments(format, info),
			fileArgument(outputPath),
		],
		audio.chunks(firstFrame, endFrame),
		signal,
	);
}
