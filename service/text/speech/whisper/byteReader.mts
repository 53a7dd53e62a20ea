import type { FileHandle } from 'node:fs/promises';

const BUFFER_BYTES = 262_144;

/** Reads a file of little-endian numbers from its start to its end, through a buffer. */
export class ByteReader {
	private readonly buffer = Buffer.alloc(BUFFER_BYTES);
	/** Where the buffer begins in the file, how much of it is filled, and where the next byte is. */
	private bufferStart = 0;
	private filled = 0;
	private position = 0;

	/** @param size of the file, in bytes. */
	constructor(
		private readonly file: FileHandle,
		private readonly size: number,
	) {}

	isAtEnd(): boolean {
		return this.position === this.size;
	}

	/** @throws RangeError at the end of the file. */
	async uint32(): Promise<number> {
		return (await this.bytes(4)).readUInt32LE();
	}

	/** The bytes are valid until the next call. @param count up to 256 KiB. @throws RangeError at the end of the file. */
	async bytes(count: number): Promise<Buffer> {
		this.skip(count);
		const start = this.position - count;
		if (start < this.bufferStart || this.position > this.bufferStart + this.filled) {
			const { bytesRead } = await this.file.read(this.buffer, 0, BUFFER_BYTES, start);
			[this.bufferStart, this.filled] = [start, bytesRead];
		}
		return this.buffer.subarray(start - this.bufferStart, this.position - this.bufferStart);
	}

	/** @throws RangeError beyond the end of the file. */
	skip(count: number): void {
		if (!Number.isSafeInteger(count) || this.position + count > this.size) {
			throw new RangeError('it ends too early');
		}
		this.position += count;
	}
}
