import type { MediaInfo } from './probe.mts';
import { FileBytes } from './wholeFile/fileBytes.mts';
import { readSoundFile } from './wholeFile/soundFile.mts';

/** Containers without a length: what ffmpeg says is a guess, except for MP3 with a Xing header. */
const STREAMS: ReadonlySet<string> = new Set(['mp3', 'aac', 'amr', 'ac3']);

/** Containers in which the audio of a video has its own length. */
const OWN_LENGTH_PATTERN = /^(mov,|avi$)/;

/**
 * Returns the length that a file says it has, in seconds, even if its end is missing; null if it
 * does not say.
 */
export async function statedSeconds(path: string, info: MediaInfo): Promise<number | null> {
	const { durationSeconds, container, bitRate, hasVideo } = info;
	if (durationSeconds === null || (hasVideo && !OWN_LENGTH_PATTERN.test(container))) return null;
	await using bytes = await FileBytes.open(path);
	const { sizeBytes } = bytes;
	if (container === 'wav') {
		const { statedEnd = 0 } = (await readSoundFile(bytes, 0)) ?? {};
		// ffmpeg corrects the length to that of the file.
		return durationSeconds * Math.max(1, statedEnd / sizeBytes);
	}
	// A guess never needs more bytes than there are.
	const isGuess = ((bitRate ?? 0) * durationSeconds) / 8 < sizeBytes * 1.005;
	return STREAMS.has(container) && isGuess ? null : durationSeconds;
}
