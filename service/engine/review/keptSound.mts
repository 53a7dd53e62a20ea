import { join } from 'node:path';

import PQueue from 'p-queue';

import { fileArgument } from '../../media/ffmpeg/guardedInput.mts';
import { feedFfmpeg, streamFfmpeg } from '../../media/ffmpeg/runFfmpeg.mts';
import type { IndexRange } from '../../shared/timeRanges.mts';
import { pcmFormatArguments, type PcmFormat, type PcmSource } from '../../media/pcmFile.mts';

/** Length of each file of a kept sound, so that a few seconds are read without the rest. */
const PIECE_SECONDS = 60;

/** Pieces packed or unpacked at a time, one a core of a small machine. */
const AT_ONCE = 2;

/** Format and length of a kept sound. */
export type KeptFormat = PcmFormat & { frames: number };

/** A file of a kept sound. */
interface PieceFile {
	name: string;
	/** In frames of the whole sound. */
	start: number;
	end: number;
}

/** Returns the files of a kept sound, in order. @param track from 0. */
export function piecesOf({ sampleRateHz, frames }: KeptFormat, track: number): PieceFile[] {
	const pieceFrames = PIECE_SECONDS * sampleRateHz;
	const count = Math.ceil(frames / pieceFrames);
	return Array.from({ length: count }, (_, index) => ({
		name: `sound-${track + 1}-${index + 1}.wv`,
		start: index * pieceFrames,
		end: Math.min(frames, (index + 1) * pieceFrames),
	}));
}

/**
 * Packs a sound into files without loss: WavPack keeps every bit of a float, also above full scale.
 *
 * @throws MediaToolError when ffmpeg fails, the signal's reason when aborted.
 */
export async function packSound(
	sound: PcmSource,
	folder: string,
	track: number,
	signal?: AbortSignal,
): Promise<void> {
	await forEachPiece(sound, track, async ({ name, start, end }) => {
		const output = ['-c:a', 'wavpack', '-f', 'wv', fileArgument(join(folder, name))];
		const args = [...pcmFormatArguments(sound), '-i', 'pipe:0', ...output];
		await feedFfmpeg(args, sound.chunks(start, end), signal);
	});
}

/** Some frames of a kept sound. */
interface KeptStretch extends IndexRange {
	/** From 0. */
	track: number;
	/** Puts a file on this disk and returns its path. */
	pathOf: (name: string) => string | Promise<string>;
}

/**
 * Unpacks a stretch of a kept sound from as few of its files as it needs. Throws as `packSound`, and an
 * Error if a file is shorter than it should be.
 *
 * @param into gets raw floats and their place in bytes of the stretch, in any order: an array or a file.
 */
export async function unpackSound(
	format: KeptFormat,
	{ track, start, end, pathOf }: KeptStretch,
	into: { set: (bytes: Uint8Array, place: number) => unknown },
	signal?: AbortSignal,
): Promise<void> {
	const frameBytes = format.channels * Float32Array.BYTES_PER_ELEMENT;
	await forEachPiece(format, track, async (piece) => {
		const [from, to] = [Math.max(start, piece.start), Math.min(end, piece.end)];
		if (from >= to) return;
		const file = fileArgument(await pathOf(piece.name));
		const wanted = `atrim=start_sample=${from - piece.start}:end_sample=${to - piece.start}`;
		// Only this service writes these files, so any other format is refused.
		const input = ['-protocol_whitelist', 'file', '-f', 'wv', '-i', file, '-af', wanted];
		let place = (from - start) * frameBytes;
		for await (const bytes of streamFfmpeg([...input, '-f', 'f32le', 'pipe:1'], signal)) {
			await into.set(bytes, place);
			place += bytes.length;
		}
		if (place < (to - start) * frameBytes) throw new Error(`${piece.name} is too short`);
	});
}

async function forEachPiece(
	format: KeptFormat,
	track: number,
	work: (piece: PieceFile) => Promise<void>,
): Promise<void> {
	const queue = new PQueue({ concurrency: AT_ONCE });
	await queue.addAll(piecesOf(format, track).map((piece) => () => work(piece)));
}
