import type { PcmSource } from '../../media/pcmFile.mts';
import { roomTonesOf } from '../roomTone/quietPlaces.mts';
import { factorAt, hopFramesAt } from '../signal/levels.mts';

/**
 * Applies a factor for every hop while a sound is read. The noise of the room stays as loud as it is: its own sound
 * from elsewhere takes the place of what becomes softer.
 */
export function lowered(input: PcmSource, factors: Float32Array): PcmSource {
	if (factors.every((factor) => factor === 1)) return input;
	const { channels, sampleRateHz } = input;
	const step = hopFramesAt(sampleRateHz);
	const toneAt = roomTonesOf(input, []);
	return {
		...input,
		async *chunks(startFrame, endFrame) {
			let first = startFrame;
			for await (const chunk of input.chunks(startFrame, endFrame)) {
				const frames = chunk.length / channels;
				const [from, to] = [Math.floor(first / step), Math.ceil((first + frames) / step) + 1];
				const isChanged = factors.subarray(from, to).some((factor) => factor < 1);
				const room = isChanged ? (await toneAt(first))?.at(first, frames) : undefined;
				yield isChanged ? blended(chunk, room, { factors, channels, step, first }) : chunk;
				first += frames;
			}
		},
	};
}

interface Place {
	readonly factors: Float32Array;
	readonly channels: number;
	/** Frames of a hop. */
	readonly step: number;
	/** The first frame of the chunk. */
	readonly first: number;
}

function blended(
	chunk: Float32Array,
	room: Float32Array | undefined,
	{ factors, channels, step, first }: Place,
): Float32Array {
	return chunk.map((sample, i) => {
		const factor = factorAt(factors, (first + Math.floor(i / channels)) / step);
		if (factor === 1) return sample;
		return factor * sample + Math.sqrt(1 - factor * factor) * (room?.[i] ?? 0);
	});
}
