import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** Puts an ID3 tag before the sound of an AAC file. */
export async function prependId3(path: string, id3: Buffer, signal?: AbortSignal): Promise<void> {
	const whole = `${path}.tagged`;
	await writeFile(whole, id3);
	await pipeline(createReadStream(path), createWriteStream(whole, { flags: 'a' }), { signal });
	await rename(whole, path);
}

/** Name and size of a chunk. */
const CHUNK_HEADER_BYTES = 8;

/** Where an RF64 file has its size, as a number of 64 bits. */
const RF64_SIZE_OFFSET = 20;

/**
 * Appends an ID3 tag to a WAV or AIFF file as a chunk, which players without ID3 skip. Does nothing
 * if the file would be too large for its header.
 */
export async function appendId3(path: string, id3: Buffer): Promise<void> {
	await using file = await open(path, 'r+');
	const header = Buffer.alloc(RF64_SIZE_OFFSET + 8);
	await file.read(header, 0, header.length, 0);
	const form = header.toString('latin1', 0, 4);
	// Chunks have even lengths.
	const start = Math.ceil((await file.stat()).size / 2) * 2;
	const chunk = Buffer.alloc(Math.ceil((CHUNK_HEADER_BYTES + id3.length) / 2) * 2);
	chunk.write(form === 'FORM' ? 'ID3 ' : 'id3 ', 'latin1');
	id3.copy(chunk, CHUNK_HEADER_BYTES);
	const size = start + chunk.length - CHUNK_HEADER_BYTES;
	if (form !== 'RF64' && size > 0xffff_ffff) return;
	if (form === 'FORM') {
		chunk.writeUInt32BE(id3.length, 4);
		header.writeUInt32BE(size, 4);
	} else {
		chunk.writeUInt32LE(id3.length, 4);
		if (form === 'RF64') header.writeBigUInt64LE(BigInt(size), RF64_SIZE_OFFSET);
		else header.writeUInt32LE(size, 4);
	}
	await file.write(chunk, 0, chunk.length, start);
	await file.write(header, 0, header.length, 0);
}
