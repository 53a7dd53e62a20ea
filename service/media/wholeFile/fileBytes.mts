import { open, type FileHandle } from 'node:fs/promises';

/** Bytes to read at once: what is asked for next is mostly near. */
const WINDOW_BYTES = 65_536;
const SEARCH_BYTES = 1_048_576;

/** A part of a file. */
export interface ByteRange {
	readonly from: number;
	/** Not included. */
	readonly to: number;
}

/** Bytes of a file to be: new ones, or those of another file. */
export type Piece = Buffer | ByteRange;

/** Reads small parts of a file. */
export class FileBytes implements AsyncDisposable {
	private readonly handle: FileHandle;
	readonly sizeBytes: number;
	private window: Buffer = Buffer.alloc(0);
	private windowAt = 0;

	private constructor(handle: FileHandle, sizeBytes: number) {
		this.handle = handle;
		this.sizeBytes = sizeBytes;
	}

	static async open(path: string): Promise<FileBytes> {
		const handle = await open(path, 'r');
		return new FileBytes(handle, (await handle.stat()).size);
	}

	/** Returns bytes of the file; fewer at its end. */
	async at(position: number, length: number): Promise<Buffer> {
		const from = position - this.windowAt;
		if (from < 0 || from + length > this.window.length) {
			this.window = await this.read(position, Math.max(length, WINDOW_BYTES));
			this.windowAt = position;
			return this.window.subarray(0, length);
		}
		return this.window.subarray(from, from + length);
	}

	/** Returns where bytes are found first; undefined if they are not. */
	async find(wanted: Buffer, range: ByteRange): Promise<number | undefined> {
		return (await this.places(wanted, range).next()).value;
	}

	/**
	 * Yields all places where bytes are found. Reads each byte about once, however often they are found.
	 *
	 * @throws the signal's reason when aborted
	 */
	async *places(
		wanted: Buffer,
		{ from, to }: ByteRange,
		signal?: AbortSignal,
	): AsyncGenerator<number, undefined> {
		const overlap = wanted.length - 1;
		for (let at = from; at < to; at += SEARCH_BYTES) {
			const piece = await this.read(at, Math.min(SEARCH_BYTES + overlap, to - at));
			for (let index = piece.indexOf(wanted); index >= 0; ) {
				signal?.throwIfAborted();
				yield at + index;
				index = piece.indexOf(wanted, index + 1);
			}
			signal?.throwIfAborted();
		}
		return undefined;
	}

	/** Whether all bytes of a range are 0. */
	async areZero({ from, to }: ByteRange): Promise<boolean> {
		const zeros = Buffer.alloc(SEARCH_BYTES);
		for (let at = from; at < to; at += SEARCH_BYTES) {
			const piece = await this.read(at, Math.min(SEARCH_BYTES, to - at));
			if (!piece.equals(zeros.subarray(0, piece.length))) return false;
		}
		return true;
	}

	/** Returns bytes of the file in memory of their own; fewer at its end. */
	async read(position: number, length: number): Promise<Buffer> {
		const bytes = Buffer.alloc(Math.max(0, Math.min(length, this.sizeBytes - position)));
		let filled = 0;
		while (filled < bytes.length) {
			const rest = bytes.length - filled;
			const { bytesRead } = await this.handle.read(bytes, filled, rest, position + filled);
			if (bytesRead === 0) return bytes.subarray(0, filled);
			filled += bytesRead;
		}
		return bytes;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.handle.close();
	}
}
