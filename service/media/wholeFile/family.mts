import type { ByteRange, FileBytes } from './fileBytes.mts';

/** A chunk of a file: an id, a size, and a body. */
export interface Chunk extends ByteRange {
	readonly id: string;
	/** Where its body begins. */
	readonly bodyAt: number;
	/** Size of its body, as it says; undefined if it was written as a stream, without a size. */
	readonly bodyBytes: number | undefined;
}

/** How samples are stored. */
export interface SampleLayout {
	/** Bytes that cannot be divided: a sample of each channel, or a block of a codec. */
	readonly frameBytes: number;
	readonly bytesPerSecond: number;
	/** Bits of an integer sample; undefined for all other samples. */
	readonly integerBits?: number | undefined;
	/** Whether integer samples are above 0. */
	readonly isUnsigned?: boolean;
	/** What they are if they are no integers. */
	readonly codec?: 'float' | 'alaw' | 'ulaw' | undefined;
	readonly channels: number;
	readonly isBigEndian: boolean;
}

/** The sound of a file without chunks. */
export interface HeadedSound {
	readonly format: Buffer;
	readonly layout: SampleLayout;
	readonly sound: Chunk;
}

/** A family of containers that hold chunks, one of which has all the sound. */
export interface Family {
	/** How each file of the family begins, and where the rest of its name is. */
	readonly beginning: Buffer;
	readonly name: { readonly at: number; readonly text: Buffer };
	/** Bytes before the first chunk. */
	readonly headBytes: number;
	readonly chunkHeadBytes: number;
	/** Chunks begin at a multiple of this. */
	readonly alignment: number;
	readonly formatId: string;
	readonly soundId: string;
	/** Bytes in the body of the sound before the samples. */
	readonly leadBytes: number;
	/** Ids of chunks that may stand behind the sound, as they are in a file. */
	readonly otherIds: readonly Buffer[];
	/** The largest size that a chunk can state. */
	readonly maxBytes: number;
	idOf(head: Buffer): string;
	sizeOf(head: Buffer): number;
	/** Returns the head of a chunk with another size. */
	withSize(head: Buffer, bodyBytes: number): Buffer;
	/** Returns the layout from the body of the format's chunk; undefined if the sound cannot be divided. */
	layoutOf(format: Buffer): SampleLayout | undefined;
	/** Returns the body of the format's chunk without what says how long the sound is. */
	formatOnly(format: Buffer): Buffer;
	/** Returns the body of a chunk that says how many frames there are. */
	bodyFor?(bytes: FileBytes, chunk: Chunk, frames: number): Promise<Buffer | undefined>;
	/** Returns the beginning of a file for the given bytes of chunks, like that of the file at a position. */
	head(bytes: FileBytes, at: number, chunkBytes: number): Promise<Buffer>;
	/** Returns the sound of a file without chunks: its head, and the samples behind it. */
	soundOf?(head: Buffer, at: number): HeadedSound | undefined;
	/** Whether readers take all that follows if the size of the sound is unknown. */
	readonly readsUnknown?: boolean;
	/** Whether more sound than a size can state has to become a CAF: readers believe the size. */
	readonly isLongAsCaf?: boolean;
	/** Whether the beginning says how long the file is, and a reader stops there. */
	readonly endsAsStated?: boolean;
}

const ID_PATTERN = /^[\w .\-©()]{4}$/;

/** Returns ids from a text; one of three letters ends with a space. */
export const asIds = (names: string) => names.split(' ').map((name) => Buffer.from(name.padEnd(4)));

/** Returns the id in the head of a chunk; '' if it is none. */
export function asciiId(head: Buffer): string {
	const id = head.toString('latin1', 0, 4);
	return ID_PATTERN.test(id) ? id : '';
}
