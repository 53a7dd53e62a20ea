import { type Retagged, type TagRequest, untagged, withNote, withinFile } from './episodeTags';
import { id3PrefixBytes, retagMp3 } from './id3/retagMp3';
import { firstMp3Frame, mp3Duration } from './mp3/duration';
import { isMp4, neededMp4Bytes, retagMp4 } from './mp4/retagMp4';

/** Longer tags stay as they are: they would have to be in memory at once. */
export const MAX_HEAD_BYTES = 16 * 1_024 * 1_024;

/** What follows the tags of an MP3 file and shows that it is one: the search for two frames. */
const MP3_START_BYTES = 8_192;

/** Starts of files that are neither MP3 nor MP4: WAV, FLAC, Ogg, AIFF, Matroska. */
const OTHER_STARTS = ['RIFF', 'RF64', 'fLaC', 'OggS', 'FORM', '\x1aE\xdf\xa3'];

/**
 * How many bytes {@link retag} needs of the start of a file, judging by the bytes read so far. Ask again
 * with that many. Pass a shorter file whole.
 */
export function neededHeadBytes(head: Buffer): number {
	return isMp4(head) ? neededMp4Bytes(head) : id3PrefixBytes(head) + MP3_START_BYTES;
}

/**
 * Writes tags and chapters into the start of an MP3 or MP4 file. Everything after it, and the sound,
 * stays as it is.
 *
 * @param head the start of the file: as many bytes as {@link neededHeadBytes} says
 * @param sizeBytes the size of the whole file, if known
 * @returns the new start of the file; the same one, and why, if tags cannot be written
 */
export function retag(head: Buffer, request: TagRequest, sizeBytes?: number): Retagged {
	if (isMp4(head)) return retagMp4(head, request);
	const soundStart = id3PrefixBytes(head);
	if (soundStart > head.length) return untagged(head, 'it has tags of more than 16 MB');
	const isOther = OTHER_STARTS.includes(head.toString('latin1', soundStart, soundStart + 4));
	const first = isOther ? undefined : firstMp3Frame(head, soundStart);
	if (first === undefined) {
		return untagged(head, 'it is neither an MP3 nor an M4A or MP4 file');
	}
	// Judged by its size alone, a file with a changing bit rate has another length.
	const exactSeconds = mp3Duration(head, first, undefined);
	const within = withinFile(request, exactSeconds);
	const seconds = exactSeconds ?? mp3Duration(head, first, sizeBytes);
	const made = retagMp3(head, within.request, seconds);
	return withNote(made, within.note);
}
