import { CHUNK_FRAMES, readFrames, type PcmSource } from '../media/pcmFile.mts';
import { roomTonesOf } from './roomTone/quietPlaces.mts';
import type { RoomTone } from './roomTone/roomTone.mts';
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
 * shortens it by exactly what the edits cover, `mute` keeps its length, with the sound of the room from elsewhere
 * instead, or silence where the room is never heard alone. On tracks of equal length, edits hit the same frames.
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
	const toneAt = roomTonesOf(input, ranges);
	/** The pieces, each with its first frame in the edited recording, and where its edit begins in the source. */
	const pieces: Array<{ piece: Piece; start: number; editStart: number }> = [];
	let [frames, editStart] = [0, 0];
	for (const piece of piecesFor(ranges, input.frames, fadeFrames(sampleRateHz, fadeSeconds))) {
		if (piece.kind === 'fade') editStart = piece.outFrom ?? editStart;
		pieces.push({ piece, start: frames, editStart });
		frames += piece.frames;
	}
	return {
		...input,
		frames,
		async *chunks(startFrame, endFrame) {
			for (const { piece, start, editStart: place } of pieces) {
				const from = Math.max(0, startFrame - start);
				const to = Math.min(piece.frames, endFrame - start);
				if (from >= to) continue;
				// Muting moves nothing, so the piece begins at the same frame of the source.
				const isRoomHeard = mode === 'mute' && piece.kind !== 'copy';
				const tone = isRoomHeard ? await toneAt(place) : undefined;
				yield* samplesOf(piece, { from, to, tone: tone && { room: tone, start } }, input);
			}
		},
	};
}

/** Which frames of a piece, and what is heard of the room there. */
interface Part {
	readonly from: number;
	readonly to: number;
	readonly tone: { readonly room: RoomTone; readonly start: number } | undefined;
}

/** Yields some frames of a piece. */
async function* samplesOf(
	piece: Piece,
	part: Part,
	input: PcmSource,
): AsyncGenerator<Float32Array> {
	const { channels } = input;
	const { from, to, tone } = part;
	if (piece.kind === 'copy') yield* input.chunks(piece.start + from, piece.start + to);
	else if (piece.kind === 'fade') {
		const samples = await fadeSamples(piece, input, tone?.room.at(tone.start, piece.frames));
		yield samples.subarray(from * channels, to * channels);
	} else yield* silentSamples(piece, part, input);
}

/** The room at the local mean: an offset before it goes over into the one after it, without a step. */
async function* silentSamples(
	piece: Extract<Piece, { kind: 'silence' }>,
	{ from, to, tone }: Part,
	input: PcmSource,
): AsyncGenerator<Float32Array> {
	const { channels } = input;
	const before = await offsetsAt(input, piece.outFrom, -1);
	const after = await offsetsAt(input, piece.inFrom, 1);
	for (let start = from; start < to; start += CHUNK_FRAMES) {
		const frames = Math.min(CHUNK_FRAMES, to - start);
		const chunk = tone?.room.at(tone.start + start, frames) ?? new Float32Array(frames * channels);
		for (let i = 0; i < chunk.length; i++) {
			const share = (start + Math.floor(i / channels) + 0.5) / piece.frames;
			const channel = i % channels;
			chunk[i] += before[channel] + share * (after[channel] - before[channel]);
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
 * both sides go over into each other in proportion; silence, and the room, have that of the other side.
 */
async function fadeSamples(
	{ outFrom, inFrom, frames }: Extract<Piece, { kind: 'fade' }>,
	input: PcmSource,
	room?: Float32Array,
): Promise<Float32Array> {
	const { channels } = input;
	const silence = room ?? new Float32Array(frames * channels);
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
			outFrom === null ? sample : sample - before,
			inFrom === null ? coming[index] : coming[index] - after,
		];
		const offset = before + share * (after - before);
		return offset + left * Math.cos(angle) + right * Math.sin(angle);
	});
}
