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

/** Programs that pack or unpack at a time, one a core of a small machine. */
const AT_ONCE = 2;

/** Pieces that one program unpacks: to start it for each takes as long as half of the work. */
const TOGETHER = 10;

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
	await inGroups(piecesOf(sound, track), 1, async ([{ name, start, end }]) => {
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
	const pieces = piecesOf(format, track);
	const pathOf = (name: string) => join(workFolder, `${name}.f32`);
	const size = Math.min(TOGETHER, Math.ceil(pieces.length / AT_ONCE));
	await inGroups(pieces, size, async (group) => {
		const inputs = group.flatMap(({ name }) => packedInput(join(folder, name)));
		const outputs = group.flatMap(({ name }, index) => {
			return ['-map', `${index}:a`, '-f', 'f32le', fileArgument(pathOf(name))];
		});
		await runFfmpeg(['-filter_threads', '1', ...inputs, ...outputs], signal);
	});
	const sources = await Promise.all(
		pieces.map(async ({ name, start, end }) => {
			const source = pcmSourceOf(await openPcm(pathOf(name), format));
			if (source.frames < end - start) throw new Error(`${name} is too short`);
			return { source, start, end };
		}),
	);
	return {
		...format,
		async *chunks(startFrame, endFrame) {
			for (const { source, start, end } of sources) {
				const [from, to] = [Math.max(startFrame, start), Math.min(endFrame, end)];
				if (from < to) yield* source.chunks(from - start, to - start);
			}
		},
	};
}

/**
 * Unpacks the samples of a stretch of a kept sound, from as few of its files as it needs. Throws as `packSound`.
 *
 * @param pathOf puts a file on this disk and returns its path.
 */
export async function unpackStretch(
	format: KeptFormat,
	track: number,
	stretch: IndexRange,
	pathOf: (name: string) => Promise<string>,
	signal?: AbortSignal,
): Promise<Float32Array> {
	const { channels } = format;
	const length = stretch.end - stretch.start;
	const samples = new Float32Array(length * channels);
	const bytes = new Uint8Array(samples.buffer);
	await inGroups(piecesOf(format, track), 1, async ([{ name, start, end }]) => {
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
	return samples;
}

/**
 * Only this service writes these files, so any other format is refused. One thread each: with ten files and as many
 * threads as cores, ffmpeg would need more memory than it may have.
 */
function packedInput(path: string): string[] {
	return ['-threads', '1', '-protocol_whitelist', 'file', '-f', 'wv', '-i', fileArgument(path)];
}

/** Works on files in groups of a size, some groups at a time. */
async function inGroups(
	pieces: readonly PieceFile[],
	size: number,
	work: (group: readonly PieceFile[]) => Promise<void>,
): Promise<void> {
	const queue = new PQueue({ concurrency: AT_ONCE });
	const starts = Array.from(
		{ length: Math.ceil(pieces.length / size) },
		(_, group) => group * size,
	);
	await queue.addAll(starts.map((start) => () => work(pieces.slice(start, start + size))));
}
