import { type Box, LONG_HEADER_BYTES, boxAt, boxesIn } from './boxes';

/**
 * Boxes with tags, which a file, a movie and a track can have: XMP is in one of type uuid. Free space may
 * have what another program left of tags.
 */
const TAGS: ReadonlySet<string> = new Set(['meta', 'udta', 'uuid', 'free', 'skip']);

/** Boxes that have others inside. */
const AROUND: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia']);

/** The ID of a box that is no tag: it says that a picture is one all around (Spherical Video V1). */
const SPHERICAL = 'ffcc8263f8554a938814587a02521fdd';

/** Turns the tags between two offsets of an MP4 file into free space, also those of its movie and tracks. */
export function blankTags(bytes: Buffer, start = 0, end = bytes.length): Buffer {
	for (const one of boxesIn(bytes, start, end)) {
		if (AROUND.has(one.type)) blankTags(bytes, one.bodyStart, one.end);
		else if (isTag(bytes, one)) blank(bytes, one);
	}
	return bytes;
}

function isTag(bytes: Buffer, { bodyStart, type }: Box): boolean {
	return TAGS.has(type) && bytes.toString('hex', bodyStart, bodyStart + 16) !== SPHERICAL;
}

/** Blanks a box, or as much of it as is there. */
function blank(bytes: Buffer, { start, bodyStart, end }: Box): void {
	bytes.write('free', start + 4, 'latin1');
	bytes.fill(0, bodyStart, Math.min(end, bytes.length));
}

/** Turns the outermost tags of an MP4 file into free space while its bytes pass, also those after its sound. */
export class TagBlanker {
	/** The start of a box whose header is not complete yet. */
	private held: Buffer = Buffer.alloc(0);

	/** How many bytes of the current box are still to come. */
	private leftBytes = 0;

	private isInTag = false;

	/** The bytes that can pass now. They are changed in place. */
	push(chunk: Buffer): Buffer {
		const bytes = this.held.length > 0 ? Buffer.concat([this.held, chunk]) : chunk;
		let at = Math.min(this.leftBytes, bytes.length);
		if (this.isInTag) bytes.fill(0, 0, at);
		this.leftBytes -= at;
		while (at < bytes.length) {
			const next = boxAt(bytes, at);
			if (next === undefined && bytes.length - at < LONG_HEADER_BYTES) break;
			const { end = Infinity, type = '' } = next ?? {};
			this.isInTag = TAGS.has(type);
			if (next && this.isInTag) blank(bytes, next);
			this.leftBytes = Math.max(0, end - bytes.length);
			at = Math.min(end, bytes.length);
		}
		this.held = bytes.subarray(at);
		return bytes.subarray(0, at);
	}

	/** What is left at the end of the file. */
	rest(): Buffer {
		return this.held;
	}
}
