/** A box of an MP4 file (ISO/IEC 14496-12). */
export interface Box {
	readonly type: string;
	/** Where it begins, from the start of the bytes it was found in. */
	readonly start: number;
	readonly bodyStart: number;
	/** Where it ends, which may be after the bytes that are there. */
	readonly end: number;
}

/** Size and type. */
export const BOX_HEADER_BYTES = 8;

/** With a size of 64 bits. */
export const LONG_HEADER_BYTES = 16;

/** The box at an offset; undefined if its header is missing or invalid. */
export function boxAt(bytes: Buffer, start: number): Box | undefined {
	if (start + BOX_HEADER_BYTES > bytes.length) return undefined;
	const type = bytes.toString('latin1', start + 4, start + BOX_HEADER_BYTES);
	const size = bytes.readUInt32BE(start);
	const isLong = size === 1;
	const bodyStart = start + (isLong ? LONG_HEADER_BYTES : BOX_HEADER_BYTES);
	if (bodyStart > bytes.length) return undefined;
	// A size of 0 says that the box goes on to the end of the file.
	const wholeSize = isLong ? Number(bytes.readBigUInt64BE(start + 8)) : size || Infinity;
	const end = start + wholeSize;
	return end >= bodyStart ? { type, start, bodyStart, end } : undefined;
}

/** The most boxes that are read. An index can have millions, which would block n8n for seconds. */
const MAX_BOXES = 10_000;

/**
 * The boxes between two offsets that are there as a whole.
 *
 * @throws if there are more than 10,000
 */
export function boxesIn(bytes: Buffer, start: number, end: number): Box[] {
	const boxes: Box[] = [];
	for (let box = boxAt(bytes, start); box && box.end <= end; box = boxAt(bytes, box.end)) {
		boxes.push(box);
		if (boxes.length > MAX_BOXES) throw new RangeError(`it has more than ${MAX_BOXES} boxes`);
	}
	return boxes;
}

/** The bytes of a box, with its header. */
export function bytesOf(bytes: Buffer, { start, end }: Box): Buffer {
	return bytes.subarray(start, end);
}

/** The type of a box that begins with these bytes. */
export function typeOf(bytes: Buffer): string {
	return bytes.toString('latin1', 4, BOX_HEADER_BYTES);
}

/** A box with this content. @param type four characters of Latin-1 */
export function box(type: string, ...content: readonly Buffer[]): Buffer {
	const body = Buffer.concat(content);
	const header = Buffer.alloc(BOX_HEADER_BYTES);
	header.writeUInt32BE(BOX_HEADER_BYTES + body.length);
	header.write(type, 4, 'latin1');
	return Buffer.concat([header, body]);
}

/** Whole numbers of 32 bits. */
export function words(...values: readonly number[]): Buffer {
	const bytes = Buffer.alloc(4 * values.length);
	values.forEach((value, index) => bytes.writeUInt32BE(value, 4 * index));
	return bytes;
}
