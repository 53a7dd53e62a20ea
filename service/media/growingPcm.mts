import { open, type FileHandle } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

import { CHUNK_FRAMES, withoutBroken, type PcmFormat } from './pcmFile.mts';

/** How often to look whether more has been written, real milliseconds. */
const LOOK_EVERY_MS = 10;

/** A file of 32-bit floats that may still be growing. */
export interface GrowingPcm extends PcmFormat {
	path: string;
}

/**
 * Yields the frames of a file in chunks while it is being written, up to its end when `written`
 * settles; the file may not exist before. A chunk is overwritten by the next. An error of `written` is its owner's: this just ends.
 *
 * @throws the signal's reason when aborted.
 */
export async function* growingChunks(
	{ path, channels }: GrowingPcm,
	written: Promise<unknown>,
	signal?: AbortSignal,
): AsyncGenerator<Float32Array> {
	const file = { isWritten: false };
	const end = () => (file.isWritten = true);
	written.then(end, end);
	const frameBytes = channels * Float32Array.BYTES_PER_ELEMENT;
	const bytes = new Uint8Array(CHUNK_FRAMES * frameBytes);
	let handle: FileHandle | undefined;
	try {
		for (let [position, filled] = [0, 0]; ; ) {
			signal?.throwIfAborted();
			// This is asked before reading, so that nothing written in between is lost.
			const isLast = file.isWritten;
			handle ??= await open(path, 'r').catch(() => undefined);
			const read = await handle?.read(bytes, filled, bytes.length - filled, position + filled);
			const isAtEnd = !read?.bytesRead;
			filled += read?.bytesRead ?? 0;
			if (filled === bytes.length || (isLast && isAtEnd)) {
				const frames = Math.floor(filled / frameBytes);
				if (frames === 0) return;
				yield withoutBroken(new Float32Array(bytes.buffer, 0, frames * channels));
				position += frames * frameBytes;
				filled = 0;
			} else if (isAtEnd) await setTimeout(LOOK_EVERY_MS, undefined, { signal });
		}
	} finally {
		await handle?.close();
	}
}
