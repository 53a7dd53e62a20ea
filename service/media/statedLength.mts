import { open } from 'node:fs/promises';

import type { MediaInfo } from './probe.mts';

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
	await using file = await open(path, 'r');
	const { size } = await file.stat();
	if (container === 'wav') {
		const header = Buffer.alloc(8);
		await file.read(header, 0, header.length, 0);
		// ffmpeg corrects the length to that of the file.
		return durationSeconds * Math.max(1, riffBytes(header) / size);
	}
	// A guess never needs more bytes than there are.
	const isGuess = ((bitRate ?? 0) * durationSeconds) / 8 < size * 1.005;
	return STREAMS.has(container) && isGuess ? null : durationSeconds;
}

/** The size of a WAV according to its header; 0 if it was written as a stream, without a size. */
function riffBytes(header: Buffer): number {
	const bytes = header.readUInt32LE(4) + header.length;
	const isUnknown = bytes >= 0xffff_0000 || (bytes >= 0x7fff_0000 && bytes < 0x8000_0000);
	return header.toString('latin1', 0, 4) !== 'RIFF' || isUnknown ? 0 : bytes;
}
