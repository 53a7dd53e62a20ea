import { CHUNK_FRAMES, readFrames, type PcmSource } from '../media/pcmFile.mts';
import { cutPieces, fadeFrames, mutedPieces, rangesOf, type Piece } from './timeline.mts';
import { meansOf } from './subsonics.mts';
import type { TimeRange } from '../shared/timeRanges.mts';

/** How edits are applied. */
export type EditMode = 'cut' | 'mute';

interface EditStyle {
	readonly mode: EditMode;
	/** See `rangesOf`. */
	readonly isExact: boolean;
	/** The length of the fade at each edit; default: `FADE_SECONDS`. */
	readonly fadeSeconds?: number;
}

/**
 * Applies edits to a recording while it is read, sample-exact and for any number of edits: `cut`
 * shortens it by exactly what the edits cover, `mute` keeps its length. On tracks of equal length,
 * edits hit the same frames.
 */
export function editedAudio(
	input: PcmSource,
	edits: readonly TimeRange[],
	{ mode, isExact, fadeSeconds }: EditStyle,
): PcmSource {
	const { sampleRateHz } = input;
	const ranges = rangesOf(edits, sampleRateHz, input.frames, isExact);
	if (ranges.length === 0) return input;
	const piecesFor = mode === 'mute' ? mutedPieces : cutPieces;
	/** The pieces, each with its first frame in the edited recording. */
	const pieces: Array<{ piece: Piece; start: number }> = [];
	let frames = 0;
	for (const piece of piecesFor(ranges, input.frames, fadeFrames(sampleRateHz, fadeSeconds))) {
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
	} else yield* silentSamples(piece, from, to, input);
}

/** Silence at the local mean: an offset before it goes over into the one after it, without a step. */
async function* silentSamples(
	piece: Extract<Piece, { kind: 'silence' }>,
	from: number,
	to: number,
	input: PcmSource,
): AsyncGenerator<Float32Array> {
	const { channels } = input;
	const before = await offsetsAt(input, piece.outFrom, -1);
	const after = await offsetsAt(input, piece.inFrom, 1);
	for (let start = from; start < to; start += CHUNK_FRAMES) {
		const chunk = new Float32Array(Math.min(CHUNK_FRAMES, to - start) * channels);
		for (let i = 0; i < chunk.length; i++) {
			const share = (start + Math.floor(i / channels) + 0.5) / piece.frames;
			const channel = i % channels;
			chunk[i] = before[channel] + share * (after[channel] - before[channel]);
		}
		yield chunk;
	}
}

/** The offset of a sound is its mean over this, in seconds. */
const OFFSET_SECONDS = 0.5;

/** A smaller offset is none: then silence is digital silence. */
const MIN_OFFSET = 0.002;

/** The offset of each channel before a frame (-1) or after it (1). */
async function offsetsAt(input: PcmSource, frame: number, side: -1 | 1): Promise<Float64Array> {
	const reach = Math.round(OFFSET_SECONDS * input.sampleRateHz);
	const from = Math.max(0, side < 0 ? frame - reach : frame);
	const to = Math.min(input.frames, side < 0 ? frame : frame + reach);
	const samples = await readFrames(input, from, Math.max(0, to - from));
	// Cut off within a period, a low note would have a mean.
	const windowed = samples.map((sample, i) => {
		const place = (Math.floor(i / input.channels) + 0.5) / (to - from);
		return 2 * Math.sin(Math.PI * place) ** 2 * sample;
	});
	const means = meansOf(windowed, input.channels);
	return means.map((mean) => (Math.abs(mean) < MIN_OFFSET ? 0 : mean));
}

/**
 * An equal-power cross-fade: the noise on both sides is similar, and its level must not dip. The offsets of
 * both sides go over into each other in proportion; silence has that of the other side.
 */
async function fadeSamples(
	{ outFrom, inFrom, frames }: Extract<Piece, { kind: 'fade' }>,
	input: PcmSource,
): Promise<Float32Array> {
	const { channels } = input;
	const silence = new Float32Array(frames * channels);
	const leaving = outFrom === null ? silence : await readFrames(input, outFrom, frames);
	const coming = inFrom === null ? silence : await readFrames(input, inFrom, frames);
	const [out, into] = [
		outFrom === null ? undefined : await offsetsAt(input, outFrom, -1),
		inFrom === null ? undefined : await offsetsAt(input, inFrom + frames, 1),
	];
	return leaving.map((sample, index) => {
		const share = (Math.floor(index / channels) + 0.5) / frames;
		const angle = share * (Math.PI / 2);
		const channel = index % channels;
		const before = (out ?? into)?.[channel] ?? 0;
		const after = (into ?? out)?.[channel] ?? 0;
		const [left, right] = [
			outFrom === null ? 0 : sample - before,
			inFrom === null ? 0 : coming[index] - after,
		];
		const offset = before + share * (after - before);
		return offset + left * Math.cos(angle) + right * Math.sin(angle);
	});
}
