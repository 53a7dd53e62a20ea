import { pcmInputArguments, type PcmFile } from './pcmFile.mts';
import {
	encoderArguments,
	encoderGain,
	outputSampleRateHz,
	type OutputFormat,
} from './outputFormat.mts';
import type { MediaInfo } from './probe.mts';
import { fileArgument, runFfmpeg } from './run.mts';

/** What is written, and how. */
export interface EncodeOrder {
	pcm: PcmFile;
	/** The source, whose sample rate, channels and fineness are kept where the format can. */
	info: MediaInfo;
	format: OutputFormat;
	outputPath: string;
	/** Length at the source's sample rate; conversion from the working rate must end right there. */
	sourceRateFrames: number;
}

/**
 * Encodes raw PCM to a file, sample-exact in length before the codec's own padding.
 *
 * @throws MediaToolError when ffmpeg fails, the signal's reason when aborted.
 */
export async function encode(order: EncodeOrder, signal?: AbortSignal): Promise<void> {
	const { pcm, info, format, outputPath } = order;
	const rateHz = outputSampleRateHz(format, info.sampleRateHz);
	const frames = Math.round((order.sourceRateFrames * rateHz) / info.sampleRateHz);
	await runFfmpeg(
		[
			...pcmInputArguments(pcm),
			'-af',
			`volume=${encoderGain(format, info)},aresample=${rateHz},apad=whole_len=${frames},atrim=end_sample=${frames}`,
			...['-bitexact', '-map_metadata', '-1'],
			...encoderArguments(format, info),
			fileArgument(outputPath),
		],
		signal,
	);
}
