import { join } from 'node:path';

import { decodeSpeech, SPEECH_RATE_HZ } from '../../media/decode.mts';
import { probe } from '../../media/probe.mts';

export { SPEECH_RATE_HZ };

/** Bytes per sample of speech: 16-bit, little endian, mono. */
export const SPEECH_SAMPLE_BYTES = 2;

/** No edited file is longer: a week. */
const MAX_SECONDS = 7 * 86_400;

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
	const info = await probe(mediaPath, signal);
	// The edit has kept to its own limit.
	const source = { ...info, path: mediaPath, limitSeconds: MAX_SECONDS };
	const seconds = await decodeSpeech(source, path, signal);
	return { path, seconds, folder };
}
