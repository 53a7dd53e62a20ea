import { open } from 'node:fs/promises';

/** Returns bytes whose memory `giveBack` returns to the system at once. Once freed, other memory stays with its thread. */
export function bytesToGiveBack(length: number): Uint8Array<ArrayBuffer> {
	return new Uint8Array(new ArrayBuffer(length, { maxByteLength: length }));
}

/** Reads a file into such bytes. */
export async function readToGiveBack(file: URL): Promise<Uint8Array<ArrayBuffer>> {
	await using handle = await open(file);
	const bytes = bytesToGiveBack((await handle.stat()).size);
	const { bytesRead } = await handle.read(bytes);
	if (bytesRead < bytes.length) throw new Error(`${file.pathname} could not be read whole`);
	return bytes;
}

/** Returns the memory of such bytes, which are gone then. */
export function giveBack({ buffer }: Uint8Array<ArrayBuffer>): void {
	buffer.resize(0);
}
