/** How much of the end of a file is searched for tags. */
export const END_BYTES = 1_024 * 1_024;

/** No program writes more tags than this. */
const TAGS_MAXIMUM = 16;

const ID3V1_BYTES = 128;
const APE_BYTES = 32;

/** The tags at the end of an MP3 file. */
export interface EndTags {
	readonly sizeBytes: number;
	/** Whether another tag in front of them begins before the bytes that are there. */
	readonly isCut: boolean;
}

/**
 * Finds the tags at the end of an MP3 file: ID3v1 and APE, in any order.
 *
 * @param end the last megabyte of the file, or all of a shorter one
 */
export function endTags(end: Buffer): EndTags {
	let rest = end;
	let isCut = false;
	for (let count = 0; count < TAGS_MAXIMUM && !isCut; count++) {
		const tagBytes = id3v1Bytes(rest) || apeBytes(rest);
		isCut = tagBytes > rest.length;
		if (!isCut) rest = rest.subarray(0, rest.length - tagBytes);
	}
	return { sizeBytes: end.length - rest.length, isCut };
}

/** The length of the tag that ends here; 0 if there is none. */
function id3v1Bytes(bytes: Buffer): number {
	const last = bytes.subarray(-ID3V1_BYTES);
	return last.length === ID3V1_BYTES && last.toString('latin1', 0, 3) === 'TAG' ? ID3V1_BYTES : 0;
}

function apeBytes(bytes: Buffer): number {
	const footer = bytes.subarray(-APE_BYTES);
	if (footer.length < APE_BYTES || footer.toString('latin1', 0, 8) !== 'APETAGEX') return 0;
	// The size has no header in it; the highest flag says whether there is one.
	const headerBytes = footer.readUInt32LE(20) >>> 31 === 1 ? APE_BYTES : 0;
	return Math.max(footer.readUInt32LE(12), APE_BYTES) + headerBytes;
}
