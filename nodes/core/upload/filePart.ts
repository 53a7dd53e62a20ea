import type { ByteStream, FileBody } from '../../../api/fileBody';
import type { FilePart } from '../../../formats/preview/wavPreview';

/** The size of the chunks, so that their number is known, with which the reading of the file ends. */
export const CHUNK_BYTES = 64 * 1_024;

/**
 * A part of a file, of which no more is read than that. A stream that breaks off is shorter than the part, which the
 * upload notices.
 */
export function partOf(content: FileBody['content'], part: FilePart): FileBody['content'] {
	const { start, fromByte, toByte, end } = part;
	if (Buffer.isBuffer(content)) {
		return Buffer.concat([start, content.subarray(fromByte, toByte), end]);
	}
	const cutter = new PartCutter(part);
	const chunks = Math.ceil((start.length + (toByte - fromByte) + end.length) / CHUNK_BYTES);
	const cut: ByteStream = content.flatMap((chunk: Buffer) => cutter.push(chunk)).take(chunks);
	// One that was never read does not close the file, and an error that nobody hears would end n8n's process.
	content.on('error', () => {});
	return cut.on('error', () => {}).on('close', () => content.destroy());
}

/** Cuts a part out of a file that comes in chunks, into chunks of one size. */
class PartCutter {
	private held: Buffer[];

	private heldBytes: number;

	/** Where the next chunk begins in the file. */
	private at = 0;

	private isOver = false;

	constructor(private readonly part: FilePart) {
		this.held = [part.start];
		this.heldBytes = part.start.length;
	}

	/** The whole chunks that another chunk of the file completes, and the last one at the end of the part. */
	push(chunk: Buffer): Buffer[] {
		const { fromByte, toByte, end } = this.part;
		if (this.isOver) return [];
		const place = (byte: number) => Math.min(Math.max(byte - this.at, 0), chunk.length);
		this.hold(chunk.subarray(place(fromByte), place(toByte)));
		this.at += chunk.length;
		this.isOver = this.at >= toByte;
		if (this.isOver) this.hold(end);
		if (!this.isOver && this.heldBytes < CHUNK_BYTES) return [];
		return this.wholeChunks();
	}

	private hold(bytes: Buffer): void {
		if (bytes.length === 0) return;
		this.held.push(bytes);
		this.heldBytes += bytes.length;
	}

	private wholeChunks(): Buffer[] {
		const bytes = Buffer.concat(this.held);
		const wholeBytes = this.isOver ? bytes.length : bytes.length - (bytes.length % CHUNK_BYTES);
		const chunks: Buffer[] = [];
		for (let at = 0; at < wholeBytes; at += CHUNK_BYTES) {
			chunks.push(bytes.subarray(at, Math.min(at + CHUNK_BYTES, wholeBytes)));
		}
		this.held = [bytes.subarray(wholeBytes)];
		this.heldBytes = bytes.length - wholeBytes;
		return chunks;
	}
}
