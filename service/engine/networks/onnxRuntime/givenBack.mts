import { open } from 'node:fs/promises';

/** Returns bytes whose memory `giveBack` returns to the system at once. Once freed, other memory stays with its thread. */
function bytesToGiveBack(length: number): Uint8Array<ArrayBuffer> {
	return new Uint8Array(new ArrayBuffer(length, { maxByteLength: length }));
}

/**
 * Reads a file into such bytes.
 *
 * @param times as many bytes are returned as the file has; it is at their end.
 * @throws Error if the file becomes shorter meanwhile.
 */
export async function readToGiveBack(file: URL, times = 1): Promise<Uint8Array<ArrayBuffer>> {
	await using handle = await open(file);
	const { size } = await handle.stat();
	const bytes = bytesToGiveBack(times * size);
	const { bytesRead } = await handle.read(bytes, bytes.length - size);
	if (bytesRead < size) throw new Error(`${file.pathname} could not be read whole`);
	return bytes;
}

/** Returns the memory of such bytes, which are gone then. */
export function giveBack({ buffer }: Uint8Array<ArrayBuffer>): void {
	buffer.resize(0);
}
