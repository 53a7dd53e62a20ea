import { fileArgument } from './ffmpeg/guardedInput.mts';
import { feedFfmpeg } from './ffmpeg/runFfmpeg.mts';
import {
	openPcm,
	pcmFormatArguments,
	pcmSourceOf,
	type PcmFile,
	type PcmFileFormat,
	type PcmFormat,
	type PcmSource,
} from './pcmFile.mts';

/**
 * Writes audio that is computed while it is read to a file in another format.
 *
 * @throws MediaToolError when ffmpeg fails, the signal's reason when aborted.
 */
export async function writeConverted(
	source: PcmSource,
	path: string,
	format: PcmFileFormat,
	signal?: AbortSignal,
): Promise<PcmFile> {
	const output = [...pcmFormatArguments(format), fileArgument(path)];
	const args = [...pcmFormatArguments(source), '-i', 'pipe:0', ...output];
	await feedFfmpeg(args, source.chunks(0, source.frames), signal);
	return await openPcm(path, format);
}

/**
 * Returns audio in another format: itself if that is its own, else what is written to a file. Throws as
 * `writeConverted`.
 */
export async function convertedTo(
	{ sampleRateHz, channels }: PcmFormat,
	source: PcmSource,
	path: string,
	signal?: AbortSignal,
): Promise<PcmSource> {
	if (source.sampleRateHz === sampleRateHz && source.channels === channels) return source;
	return pcmSourceOf(await writeConverted(source, path, { sampleRateHz, channels }, signal));
}
