import { join } from 'node:path';

import PQueue from 'p-queue';

import { fileArgument } from '../../media/ffmpeg/guardedInput.mts';
import { feedFfmpeg, runFfmpeg, streamFfmpeg } from '../../media/ffmpeg/runFfmpeg.mts';
import type { IndexRange } from '../../shared/timeRanges.mts';
import {
	openPcm,
	pcmFormatArguments,
	pcmSourceOf,
	type PcmFormat,
	type PcmSource,
} from '../../media/pcmFile.mts';

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

/**
 * Unpacks a kept sound into a work folder, for the many readers of a rendering. ffmpeg writes the files:
 * through a pipe to one file, it takes a third longer. Throws as `packSound`.
 */
export async function unpackSound(
	format: KeptFormat,
	track: number,
	{ folder, workFolder }: { folder: string; workFolder: string },
	signal?: AbortSignal,
): Promise<PcmSource> {
	const pieces = await forEachPiece(format, track, async ({ name, start, end }) => {
		const path = join(workFolder, `${name}.f32`);
		const input = packedInput(join(folder, name));
		await runFfmpeg([...input, '-f', 'f32le', fileArgument(path)], signal);
		const source = pcmSourceOf(await openPcm(path, format));
		if (source.frames < end - start) throw new Error(`${name} is too short`);
		return { source, start, end };
	});
	return {
		...format,
		async *chunks(startFrame, endFrame) {
			for (const { source, start, end } of pieces) {
				const [from, to] = [Math.max(startFrame, start), Math.min(endFrame, end)];
				if (from < to) yield* source.chunks(from - start, to - start);
			}
		},
	};
}

/**
 * Unpacks a stretch of a kept sound into memory, from as few of its files as it needs. Throws as `packSound`.
 *
 * @param pathOf puts a file on this disk and returns its path.
 */
export async function unpackStretch(
	format: KeptFormat,
	track: number,
	stretch: IndexRange,
	pathOf: (name: string) => Promise<string>,
	signal?: AbortSignal,
): Promise<PcmSource> {
	const { sampleRateHz, channels } = format;
	const length = stretch.end - stretch.start;
	const samples = new Float32Array(length * channels);
	const bytes = new Uint8Array(samples.buffer);
	await forEachPiece(format, track, async ({ name, start, end }) => {
		const [from, to] = [Math.max(stretch.start, start), Math.min(stretch.end, end)];
		if (from >= to) return;
		const wanted = `atrim=start_sample=${from - start}:end_sample=${to - start}`;
		const args = [...packedInput(await pathOf(name)), '-af', wanted, '-f', 'f32le', 'pipe:1'];
		let place = (from - stretch.start) * channels * samples.BYTES_PER_ELEMENT;
		for await (const part of streamFfmpeg(args, signal)) {
			bytes.set(part, place);
			place += part.length;
		}
	});
	return {
		...{ sampleRateHz, channels, frames: length },
		async *chunks(startFrame, endFrame) {
			yield await Promise.resolve(samples.subarray(startFrame * channels, endFrame * channels));
		},
	};
}

/** Only this service writes these files, so any other format is refused. */
function packedInput(path: string): string[] {
	return ['-protocol_whitelist', 'file', '-f', 'wv', '-i', fileArgument(path)];
}

/** Returns what the work returns for each piece, in order. */
async function forEachPiece<T>(
	format: KeptFormat,
	track: number,
	work: (piece: PieceFile) => Promise<T>,
): Promise<T[]> {
	const queue = new PQueue({ concurrency: AT_ONCE });
	return await queue.addAll(piecesOf(format, track).map((piece) => () => work(piece)));
}
