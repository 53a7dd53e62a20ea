import { pcmFormatArguments, type PcmSource } from './pcmFile.mts';
import {
	encoderArguments,
	encoderGain,
	outputSampleRateHz,
	type OutputFormat,
} from './outputFormat.mts';
import type { MediaInfo } from './probe.mts';
import { feedFfmpeg, fileArgument } from './run.mts';

/** What is written, and how. */
export interface EncodeOrder {
	audio: PcmSource;
	/** The source, whose sample rate, channels and fineness are kept where the format can. */
	info: MediaInfo;
	format: OutputFormat;
	outputPath: string;
	/** Length at the source's sample rate; conversion from the working rate must end right there. */
	sourceRateFrames: number;
}

/**
 * Encodes audio to a file, sample-exact in length before the codec's own padding.
 *
 * @throws MediaToolError when ffmpeg fails, the signal's reason when aborted.
 */
export async function encode(order: EncodeOrder, signal?: AbortSignal): Promise<void> {
	const { audio, info, format, outputPath } = order;
	const rateHz = outputSampleRateHz(format, info.sampleRateHz);
	const frames = Math.round((order.sourceRateFrames * rateHz) / info.sampleRateHz);
	await feedFfmpeg(
		[
			...[...pcmFormatArguments(audio), '-i', 'pipe:0'],
			'-af',
			`volume=${encoderGain(format, info)},aresample=${rateHz},apad=whole_len=${frames},atrim=end_sample=${frames}`,
			...['-bitexact', '-map_metadata', '-1'],
			...encoderArguments(format, info),
			fileArgument(outputPath),
		],
		audio.chunks(0, audio.frames),
		signal,
	);
}
