import { TAG_HEADER_BYTES, id3TagBytes } from '../id3/readTag';
import { MP3_HEADER_BYTES, type Mp3Header, isSameStream, mp3Header } from './frameHeader';

/** Receives each frame; the bytes are valid during the call only. */
export type OnFrame = (frame: Buffer, header: Mp3Header) => void;

/** In other files, some bytes look like a frame by chance; in MP3 files, the first one is near the start. */
const MAX_SEARCHED_BYTES = 4_096;

/** Finds the frames of an MP3 file that comes in chunks. Keeps at most one frame of it. */
export class Mp3FrameReader {
	/** What remains of the last chunk: the beginning of a frame, or of a tag. */
	private rest: Buffer = Buffer.alloc(0);

	/** How many bytes of a tag at the start of the file are still to come. */
	private tagBytesLeft = 0;

	private isPastTags = false;

	/** The first frame: all others agree with it. */
	private first?: Mp3Header;

	/** How many bytes before the first frame belong to none. */
	private searchedBytes = 0;

	/** Whether the next frame is expected right where the last one ended. */
	private isLocked = false;

	constructor(private readonly onFrame: OnFrame) {}

	push(chunk: Buffer): void {
		if (this.searchedBytes > MAX_SEARCHED_BYTES) return;
		const bytes = this.skipTags(this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk);
		const end = this.isPastTags ? this.readFrames(bytes) : 0;
		// A copy, so that the chunk's memory becomes free.
		this.rest = Buffer.from(bytes.subarray(end));
	}

	/** What follows the tags at the start of the file, as far as it is there. */
	private skipTags(bytes: Buffer): Buffer {
		let left = bytes;
		while (!this.isPastTags) {
			const skippedBytes = Math.min(this.tagBytesLeft, left.length);
			left = left.subarray(skippedBytes);
			this.tagBytesLeft -= skippedBytes;
			if (left.length < TAG_HEADER_BYTES) return left;
			this.tagBytesLeft = id3TagBytes(left);
			this.isPastTags = this.tagBytesLeft === 0;
		}
		return left;
	}

	/** Reads the whole frames of some bytes. Returns where the first incomplete one begins. */
	private readFrames(bytes: Buffer): number {
		let offset = 0;
		while (offset + 2 * MP3_HEADER_BYTES <= bytes.length) {
			const header = mp3Header(bytes, offset);
			const end = offset + (header?.frameBytes ?? 0);
			if (header && isSameStream(bytes, offset, this.first ?? header)) {
				const neededEnd = this.isLocked ? end : end + MP3_HEADER_BYTES;
				if (neededEnd > bytes.length) return offset;
				this.isLocked ||= isSameStream(bytes, end, header);
			} else {
				this.isLocked = false;
			}
			if (header && this.isLocked) {
				this.first ??= header;
				this.onFrame(bytes.subarray(offset, end), header);
			}
			offset = this.isLocked ? end : this.lost(bytes, offset);
		}
		return offset;
	}

	/** Where the next frame may begin, after bytes that are no frame. */
	private lost(bytes: Buffer, offset: number): number {
		this.isLocked = false;
		const found = bytes.indexOf(0xff, offset + 1);
		const next = found === -1 ? bytes.length : found;
		if (this.first === undefined) this.searchedBytes += next - offset;
		return this.searchedBytes > MAX_SEARCHED_BYTES ? bytes.length : next;
	}
}
