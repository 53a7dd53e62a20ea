import { open, rename, rm } from 'node:fs/promises';

import { FileBytes, type Piece } from './fileBytes.mts';
import { mendingOfFlac } from './flac.mts';
import { mendingOfSound } from './joinedSound.mts';
import { mendingOfStreams } from './joinedStreams.mts';
import { mendingOfMp4 } from './mp4.mts';

const COPY_BYTES = 1_048_576;

/**
 * Replaces a file whose header does not say where its sound ends by one whose header does; files that
 * are joined become one. A link to the file keeps what it was.
 *
 * @returns what was left out, for the client
 * @throws the signal's reason when aborted
 */
export async function mendSizes(path: string, signal?: AbortSignal): Promise<readonly string[]> {
	await using bytes = await FileBytes.open(path);
	const { pieces, notes } = (await mendingOfSound(bytes, signal)) ??
		(await mendingOfFlac(bytes, signal)) ??
		(await mendingOfMp4(bytes, signal)) ??
		(await mendingOfStreams(bytes, signal)) ?? { notes: [] };
	if (pieces !== undefined) {
		const mended = `${path}.mended`;
		try {
			await writePieces(bytes, pieces, mended, signal);
			await rename(mended, path);
		} finally {
			await rm(mended, { force: true });
		}
	}
	return notes;
}

async function writePieces(
	bytes: FileBytes,
	pieces: readonly Piece[],
	path: string,
	signal?: AbortSignal,
): Promise<void> {
	await using file = await open(path, 'wx', 0o600);
	for (const piece of pieces) {
		if (!('from' in piece)) await file.appendFile(piece);
		else {
			for (let at = piece.from; at < piece.to; at += COPY_BYTES) {
				signal?.throwIfAborted();
				await file.appendFile(await bytes.read(at, Math.min(COPY_BYTES, piece.to - at)));
			}
		}
	}
}
