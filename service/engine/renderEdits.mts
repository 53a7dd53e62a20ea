import { CHUNK_FRAMES, openPcm, PcmReader, PcmWriter, type PcmFile } from '../media/pcmFile.mts';
import { cutPieces, fadeFrames, mutedPieces, rangesOf, type Piece } from './timeline.mts';
import type { TimelineEdit } from './types.mts';

/** How edits are carried out. */
export type EditMode = 'cut' | 'mute';

/**
 * Carries out edits, sample-exact and with any number of them: `cut` shortens the recording by
 * exactly what the edits cover, `mute` keeps its length.
 *
 * @throws the signal's reason when aborted.
 */
export async function renderEdits(
	input: PcmFile,
	edits: readonly TimelineEdit[],
	mode: EditMode,
	outputPath: string,
	signal?: AbortSignal,
): Promise<PcmFile> {
	const ranges = rangesOf(edits, input.sampleRateHz, input.frames);
	const piecesFor = mode === 'mute' ? mutedPieces : cutPieces;
	{
		await using reader = await PcmReader.open(input);
		await using writer = await PcmWriter.create(outputPath);
		for (const piece of piecesFor(ranges, input.frames, fadeFrames(input.sampleRateHz))) {
			for await (const samples of samplesOf(piece, reader, input.channels)) {
				signal?.throwIfAborted();
				await writer.write(samples);
			}
		}
	}
	return await openPcm(outputPath, input);
}

async function* samplesOf(
	piece: Piece,
	reader: PcmReader,
	channels: number,
): AsyncGenerator<Float32Array> {
	if (piece.kind === 'copy') yield* reader.chunks(piece.start, piece.start + piece.frames);
	else if (piece.kind === 'fade') yield await fadeSamples(piece, reader, channels);
	else {
		for (let left = piece.frames; left > 0; left -= CHUNK_FRAMES) {
			yield new Float32Array(Math.min(CHUNK_FRAMES, left) * channels);
		}
	}
}

/** A cross-fade of equal power: the noise on both sides is alike, and its level must not dip. */
async function fadeSamples(
	{ outFrom, inFrom, frames }: Extract<Piece, { kind: 'fade' }>,
	reader: PcmReader,
	channels: number,
): Promise<Float32Array> {
	const silence = new Float32Array(frames * channels);
	const leaving = outFrom === null ? silence : await reader.read(outFrom, frames);
	const coming = inFrom === null ? silence : await reader.read(inFrom, frames);
	return leaving.map((sample, index) => {
		const angle = ((Math.floor(index / channels) + 0.5) / frames) * (Math.PI / 2);
		return sample * Math.cos(angle) + coming[index] * Math.sin(angle);
	});
}
