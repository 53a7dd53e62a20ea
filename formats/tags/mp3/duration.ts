import { type Mp3Header, isSameStream, mp3Header } from './frames';
import { mp3Info } from './infoFrame';

/** How far into the bytes after the tags the first frame may begin. */
const SEARCHED_BYTES = 4_096;

type FirstFrame = { readonly header: Mp3Header; readonly start: number };

/** The first MP3 frame at or after an offset, and where it begins; undefined if there is none near it. */
export function firstMp3Frame(head: Buffer, offset: number): FirstFrame | undefined {
	for (let at = offset; at < offset + SEARCHED_BYTES; at++) {
		const header = mp3Header(head, at);
		// Two bytes that look like a header are frequent, two at the right distance are not.
		if (header && isSameStream(head, at + header.frameBytes, header)) return { header, start: at };
	}
	return undefined;
}

/**
 * The length of an MP3 file: from its information frame, or from its size if the bit rate does not change.
 *
 * @param sizeBytes the size of the whole file, if known
 * @returns seconds; undefined if it is not known
 */
export function mp3Duration(
	head: Buffer,
	{ header, start }: FirstFrame,
	sizeBytes: number | undefined,
): number | undefined {
	const { samples, sampleRateHz, bitRateKbps } = header;
	const frames = mp3Info(head.subarray(start, start + header.frameBytes), header)?.frames;
	if (frames !== undefined) return (frames * samples) / sampleRateHz;
	return sizeBytes === undefined ? undefined : (sizeBytes - start) / (bitRateKbps * 125);
}
