import { allOrNone } from './allOrNone.mts';
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
import { fileArgument } from './guardedInput.mts';
import { feedFfmpeg } from './runFfmpeg.mts';

/** What is written, and how. */
export interface EncodeOrder {
	audio: PcmSource;
	/** The source, whose sample rate, channels and fineness are kept where the format can. */
	info: MediaInfo;
	format: OutputFormat;
	outputPath: string;
	/** Length at the source's sample rate; conversion from the working rate must end right there. */
	sourceRateFrames: number;
	/** Parts a long MP3 is encoded in at most; one for each core unless said otherwise. */
	mostParts?: number;
}

/**
 * Encodes audio to a file, sample-exact in length before the codec's own padding. A long MP3 is
 * encoded in parts on all cores; beside `outputPath` there are files of the parts meanwhile.
 *
 * @throws MediaToolError when ffmpeg fails, the signal's reason when aborted.
 */
export async function encode(order: EncodeOrder, signal?: AbortSignal): Promise<void> {
	const { audio, info, format, outputPath } = order;
	const rateHz = outputSampleRateHz(format, info.sampleRateHz);
	const frames = Math.round((order.sourceRateFrames * rateHz) / info.sampleRateHz);
	const whole: EncodePart = { start: 0, from: 0, to: frames };
	const lengths = { frames, rateHz, inputRateHz: audio.sampleRateHz };
	const parts =
		format === 'mp3'
			? partsOf({ ...lengths, frameSamples: mp3FrameSamples(rateHz) }, order.mostParts)
			: [whole];
	if (parts.length === 1) await encodePart(order, rateHz, whole, outputPath, signal);
	else await encodeMp3InParts(order, rateHz, parts, signal);
}

async function encodeMp3InParts(
	order: EncodeOrder,
	rateHz: number,
	parts: readonly EncodePart[],
	signal?: AbortSignal,
): Promise<void> {
	const paths = parts.map((_, index) => `${order.outputPath}.part${index}`);
	await allOrNone(
		parts.map((part, index) => (stop: AbortSignal) => {
			return encodePart(order, rateHz, part, paths[index], stop);
		}),
		signal,
	);
	const frameSamples = mp3FrameSamples(rateHz);
	const pieces = parts.map(({ from, start }, index) => ({
		path: paths[index],
		skippedFrames: (start - from) / frameSamples,
		...(index + 1 < parts.length && { frames: (parts[index + 1].start - start) / frameSamples }),
	}));
	await joinMp3(pieces, order.outputPath, signal);
}

/** Encodes the frames of a part, with those before and after it. */
async function encodePart(
	{ audio, info, format }: EncodeOrder,
	rateHz: number,
	{ from, to }: EncodePart,
	outputPath: string,
	signal?: AbortSignal,
): Promise<void> {
	const frames = to - from;
	const firstFrame = Math.round((from * audio.sampleRateHz) / rateHz);
	const endFrame = Math.min(audio.frames, Math.ceil((to * audio.sampleRateHz) / rateHz));
	await feedFfmpeg(
		[
			...[...pcmFormatArguments(audio), '-i', 'pipe:0'],
			'-af',
			`volume=${encoderGain(format, info)},aresample=${rateHz},apad=whole_len=${frames},atrim=end_sample=${frames}`,
			...['-bitexact', '-map_metadata', '-1'],
			...encoderArguments(format, info),
			fileArgument(outputPath),
		],
		audio.chunks(firstFrame, endFrame),
		signal,
	);
}
