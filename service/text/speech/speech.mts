import { join } from 'node:path';

import { SPEECH_FORMAT, SPEECH_RATE_HZ } from '../../media/decode.mts';
import { openPcm, pcmFormatArguments } from '../../media/pcmFile.mts';
import { fileArgument, guardedInput } from '../../media/ffmpeg/guardedInput.mts';
import { runFfmpeg } from '../../media/ffmpeg/runFfmpeg.mts';

export { SPEECH_RATE_HZ };

/** Bytes per sample of speech: 16-bit, little endian, mono. */
export const SPEECH_SAMPLE_BYTES = 2;

/** Speech for a recognizer on disk: 16-bit mono PCM at 16 kHz, no header. */
export interface SpeechAudio {
	path: string;
	seconds: number;
	/** For the recognizer's own files; deleted with the edit's work folder. */
	folder: string;
}

/**
 * Converts the audio of an edited file for a recognizer.
 *
 * @param name of the file to write in the folder, unique per track.
 * @throws MediaToolError when ffmpeg fails, the signal's reason when aborted.
 */
export async function speechOf(
	mediaPath: string,
	folder: string,
	name: string,
	signal?: AbortSignal,
): Promise<SpeechAudio> {
	const path = join(folder, `${name}.raw`);
	const output = ['-map', '0:a:0', ...pcmFormatArguments(SPEECH_FORMAT), fileArgument(path)];
	await runFfmpeg([...guardedInput(mediaPath), ...output], signal);
	const { frames } = await openPcm(path, SPEECH_FORMAT);
	return { path, seconds: frames / SPEECH_RATE_HZ, folder };
}
