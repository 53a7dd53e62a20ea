import { CHUNK_FRAMES, readFrames, type PcmSource } from '../media/pcmFile.mts';
import { cutPieces, fadeFrames, mutedPieces, rangesOf, type Piece } from './timeline.mts';
import type { TimeRange } from '../shared/timeRanges.mts';

/** How edits are applied. */
export type EditMode = 'cut' | 'mute';

/**
 * Applies edits to a recording while it is read, sample-exact and for any number of edits: `cut`
 * shortens it by exactly what the edits cover, `mute` keeps its length. On tracks of equal length,
 * edits hit the same frames.
 *
 * @param isExact see `rangesOf`.
 */
export function editedAudio(
	input: PcmSource,
	edits: readonly TimeRange[],
	mode: EditMode,
	isExact: boolean,
): PcmSource {
	const { sampleRateHz } = input;
	const ranges = rangesOf(edits, sampleRateHz, input.frames, isExact);
	if (ranges.length === 0) return input;
	const piecesFor = mode === 'mute' ? mutedPieces : cutPieces;
	/** The pieces, each with its first frame in the edited recording. */
	const pieces: Array<{ piece: Piece; start: number }> = [];
	let frames = 0;
	for (const piece of piecesFor(ranges, input.frames, fadeFrames(sampleRateHz))) {
		pieces.push({ piece, start: frames });
		frames += piece.frames;
	}
	return {
		...input,
		frames,
		async *chunks(startFrame, endFrame) {
			for (const { piece, start } of pieces) {
				const from = Math.max(0, startFrame - start);
				const to = Math.min(piece.frames, endFrame - start);
				if (from < to) yield* samplesOf(piece, from, to, input);
			}
		},
	};
}

/** Yields the frames from `from` up to `to` of a piece. */
async function* samplesOf(
	piece: Piece,
	from: number,
	to: number,
	input: PcmSource,
): AsyncGenerator<Float32Array> {
	const { channels } = input;
	if (piece.kind === 'copy') yield* input.chunks(piece.start + from, piece.start + to);
	else if (piece.kind === 'fade') {
		const samples = await fadeSamples(piece, input);
		yield samples.subarray(from * channels, to * channels);
	} else {
		for (let left = to - from; left > 0; left -= CHUNK_FRAMES) {
			yield new Float32Array(Math.min(CHUNK_FRAMES, left) * channels);
		}
	}
}

/** An equal-power cross-fade: the noise on both sides is similar, and its level must not dip. */
async function fadeSamples(
	{ outFrom, inFrom, frames }: Extract<Piece, { kind: 'fade' }>,
	input: PcmSource,
): Promise<Float32Array> {
	const { channels } = input;
	const silence = new Float32Array(frames * channels);
	const leaving = outFrom === null ? silence : await readFrames(input, outFrom, frames);
	const coming = inFrom === null ? silence : await readFrames(input, inFrom, frames);
	return leaving.map((sample, index) => {
		const angle = ((Math.floor(index / channels) + 0.5) / frames) * (Math.PI / 2);
		return sample * Math.cos(angle) + coming[index] * Math.sin(angle);
	});
}
