import { readFrames, type PcmFormat, type PcmSource } from '../../media/pcmFile.mts';

/** A stretch of a sound, and its fades at both ends, in frames; together they are no longer than it. */
export interface SoundPart {
	sound: PcmSource;
	start: number;
	frames: number;
	fadeIn: number;
	fadeOut: number;
	/** Whether the sound has these fades already. */
	isFaded?: boolean;
}

/** Frames of one part, or of its end together with the beginning of the next. */
interface Piece {
	from: number;
	frames: number;
	part: SoundPart;
	/** Where it begins in the part. */
	partStart: number;
	next?: SoundPart;
}

/** How many frames two parts that follow each other share: the shorter of the two fades there. */
export function sharedFrames(part: SoundPart, next: SoundPart): number {
	return Math.min(part.fadeOut, next.fadeIn);
}

/**
 * Returns parts one after the other while they are read. Where one goes over into the next, both are heard, with
 * equal power: they are different sounds.
 */
export function joinedSound(parts: readonly SoundPart[], format: PcmFormat): PcmSource {
	const shared = parts.slice(1).map((next, index) => sharedFrames(parts[index], next));
	let position = 0;
	const pieces = parts.flatMap((part, index): Piece[] => {
		const before = index === 0 ? 0 : shared[index - 1];
		const after = shared.at(index) ?? 0;
		const from = position + before;
		const own = { from, frames: part.frames - before - after, part, partStart: before };
		position += part.frames - after;
		if (index === parts.length - 1) return [own];
		const partStart = part.frames - after;
		return [own, { from: position, frames: after, part, partStart, next: parts[index + 1] }];
	});
	return {
		...format,
		frames: position,
		async *chunks(startFrame, endFrame) {
			for (const { from, frames, part, partStart, next } of pieces) {
				const first = Math.max(0, startFrame - from);
				const last = Math.min(frames, endFrame - from);
				if (first >= last) continue;
				if (next === undefined) yield* fadedChunks(part, partStart + first, partStart + last);
				else yield await both(part, next, partStart, { frames, first, last });
			}
		},
	};
}

async function* fadedChunks(part: SoundPart, from: number, to: number) {
	const { sound, start, frames, fadeIn, fadeOut } = part;
	const { channels } = sound;
	let frame = from;
	for await (const chunk of sound.chunks(start + from, start + to)) {
		const count = chunk.length / channels;
		const isPlain = frame >= fadeIn && frame + count <= frames - fadeOut;
		yield isPlain
			? chunk
			: chunk.map((sample, i) => sample * gainAt(part, frame + Math.floor(i / channels)));
		frame += count;
	}
}

/**
 * Frames in which the end of a part and the beginning of the next are heard. Where equal power would go over full scale,
 * which is clipped, the two are no louder together than the louder one.
 */
async function both(
	part: SoundPart,
	next: SoundPart,
	partStart: number,
	{ frames, first, last }: { frames: number; first: number; last: number },
): Promise<Float32Array> {
	const { channels } = part.sound;
	const frameOf = (sample: number) => Math.floor(sample / channels);
	const faded = async (one: SoundPart, from: number) => {
		const samples = await readFrames(one.sound, one.start + from, frames);
		return samples.map((sample, i) => sample * gainAt(one, from + frameOf(i)));
	};
	// All of it, so that every reader of a part of it hears the same.
	const [leaving, coming] = [await faded(part, partStart), await faded(next, 0)];
	const sum = leaving.map((sample, i) => sample + coming[i]);
	const isOver = sum.some((sample) => Math.abs(sample) > 1);
	const weights = (frame: number) => fadeAt(part, partStart + frame) + fadeAt(next, frame);
	const heard = isOver ? sum.map((one, i) => one / Math.max(1, weights(frameOf(i)))) : sum;
	return heard.subarray(first * channels, last * channels);
}

function gainAt(part: SoundPart, frame: number): number {
	return part.isFaded === true ? 1 : fadeAt(part, frame);
}

function fadeAt({ frames, fadeIn, fadeOut }: SoundPart, frame: number): number {
	const rise = frame < fadeIn ? Math.sin((Math.PI / 2) * ((frame + 0.5) / fadeIn)) : 1;
	const left = frames - frame;
	const fall = left <= fadeOut ? Math.sin((Math.PI / 2) * ((left - 0.5) / fadeOut)) : 1;
	return rise * fall;
}
