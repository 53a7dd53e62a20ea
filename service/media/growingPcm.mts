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
 * settles; the file may not exist before. An error of `written` is its owner's: this just ends.
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
	await using late = new LateFile(path);
	for (let position = 0; ; ) {
		signal?.throwIfAborted();
		// Asked first: what is written between the question and the reading is not lost.
		const isLast = file.isWritten;
		const bytes = await late.read(position, CHUNK_FRAMES * frameBytes);
		const whole = bytes.length - (bytes.length % frameBytes);
		if (isLast && whole === 0) return;
		if (isLast || whole === CHUNK_FRAMES * frameBytes) {
			yield withoutBroken(
				new Float32Array(bytes.buffer, 0, whole / Float32Array.BYTES_PER_ELEMENT),
			);
			position += whole;
		} else await setTimeout(LOOK_EVERY_MS, undefined, { signal });
	}
}

/** A file that may not exist yet. */
class LateFile implements AsyncDisposable {
	readonly #path: string;
	#handle: FileHandle | undefined;

	constructor(path: string) {
		this.#path = path;
	}

	/** Reads up to `length` bytes; none where there is nothing yet. */
	async read(position: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
		this.#handle ??= await open(this.#path, 'r').catch(() => undefined);
		const bytes = new Uint8Array(length);
		let filled = 0;
		while (this.#handle && filled < length) {
			const rest = length - filled;
			const { bytesRead } = await this.#handle.read(bytes, filled, rest, position + filled);
			if (bytesRead === 0) break;
			filled += bytesRead;
		}
		return bytes.subarray(0, filled);
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#handle?.close();
	}
}
